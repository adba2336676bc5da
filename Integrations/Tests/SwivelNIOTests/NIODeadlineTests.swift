// SPDX-License-Identifier: Apache-2.0
import NIOCore
import SwivelCore
import SwivelNIO
import Testing

@Suite struct NIODeadlineTests {
    @Test(arguments: [0, 1, 1_234_567_890_123_456_789, UInt64(Int64.max) - 1])
    func instantsKeepEveryNanosecondBothWays(nanoseconds: UInt64) {
        let instant = LoopClock.Instant(nanoseconds: nanoseconds)
        #expect(NIODeadline(instant).uptimeNanoseconds == nanoseconds)
        #expect(LoopClock.Instant(NIODeadline(instant)) == instant)
    }

    @Test func whatNeverComesStaysSo() {
        #expect(NIODeadline(LoopClock.Instant.never) == .distantFuture)
        #expect(LoopClock.Instant(NIODeadline.distantFuture) == .never)
        let far = LoopClock.Instant(nanoseconds: UInt64(Int64.max) + 1)
        #expect(NIODeadline(far) == .distantFuture)
        #expect(LoopClock.Instant(NIODeadline.distantPast).nanoseconds == 0)
    }

    @Test func theClocksAreTheSame() {
        // Outside of closures Swivel's clock may be ahead of the system's by a microsecond.
        let slack = Duration.microseconds(10)
        let before = LoopClock.Instant(NIODeadline.now())
        let between = LoopClock.Instant.now
        let after = LoopClock.Instant(NIODeadline.now())
        #expect(before <= between)
        #expect(between <= after + slack)
    }
}
