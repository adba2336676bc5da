// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
@testable import SwivelDispatch

/// A manual loop, and a wall clock that goes with it until the test makes it step.
final class TestWall: Sendable {
    /// The date when the loop's time begins.
    static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    let loop: Loop
    let timers: WallTimers
    private let offset: Shared<TimeInterval>

    /// A wall clock whose steps the timers hear of, if `isTold`.
    init(isTold: Bool = true) throws {
        let loop = try manualLoop()
        let offset = Shared<TimeInterval>(0)
        self.loop = loop
        self.offset = offset
        timers = WallTimers(
            WallClock(longestSleep: isTold ? nil : .seconds(60)) {
                let elapsed = Double(loop.now.nanoseconds - epoch.nanoseconds) / 1e9
                return Self.start + elapsed + offset.value
            })
        Self.kept.update { $0.append(timers) }
    }

    /// Handles do not retain the timers.
    private static let kept = Shared<[WallTimers]>([])

    var now: Date { timers.clock.now() }

    /// Seconds since the loop's time began.
    var elapsed: Double {
        Double(loop.now.nanoseconds - epoch.nanoseconds) / 1e9
    }

    /// The wall clock steps by this many seconds.
    func step(_ seconds: TimeInterval, isTold: Bool = true) {
        offset.update { $0 += seconds }
        if isTold { timers.clockWasSet() }
        runDue()
    }

    /// Both clocks go on.
    func advance(_ seconds: Double) { loop.advance(by: .seconds(seconds)) }

    /// Runs what is due.
    func runDue() { loop.runDue() }

    /// Arms a one-shot at this many seconds from the start of time.
    @discardableResult
    func schedule(at seconds: Double, _ work: @escaping @Sendable () -> Void) -> TimerHandle {
        timers.schedule(at: Self.start + seconds, on: loop, .once(work))
    }
}
