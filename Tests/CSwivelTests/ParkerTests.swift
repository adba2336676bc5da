// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

private let never = swivel_real(ns: .max)
private let past = swivel_real(ns: 0)

/// A parker, and whether its thread has gone on.
private final class Bed: @unchecked Sendable {
    // because the parker's functions say which thread may call them.
    let parker = UnsafeMutablePointer<swivel_parker>.allocate(capacity: 1)

    init() { parker.initialize(to: swivel_parker()) }

    deinit { parker.deallocate() }
}

@Suite struct ParkerTests {
    @Test func aWaitEndsAtItsTimeWithoutAWake() {
        let bed = Bed()
        #expect(!swivel__parker_wait(bed.parker, past))
        #expect(!swivel__parker_sleep(bed.parker, past))
        #expect(!swivel__parker_take(bed.parker))
    }

    @Test func aWakeThatNobodyWaitsForEndsTheNextWaitAndNoOther() {
        let bed = Bed()
        #expect(!swivel__parker_wake(bed.parker))
        #expect(!swivel__parker_wake(bed.parker))
        #expect(swivel__parker_wait(bed.parker, past))
        #expect(!swivel__parker_wait(bed.parker, past))
        swivel__parker_wake(bed.parker)
        #expect(swivel__parker_sleep(bed.parker, past))
        swivel__parker_wake(bed.parker)
        #expect(swivel__parker_take(bed.parker))
        #expect(!swivel__parker_take(bed.parker))
    }

    @Test func whoeverIsWokenSeesWhatWasDoneBefore() async throws {
        // Two threads take turns: each counts, wakes the other, and waits to be woken.
        let (first, second) = (Bed(), Bed())
        // because the two threads wait for each other between their accesses.
        nonisolated(unsafe) var count = 0
        let rounds = 5000
        _ = try await onThreads(2) { thread in
            let (own, other) = thread == 0 ? (first, second) : (second, first)
            for round in 0..<rounds {
                if thread == 1 || round > 0 {
                    #expect(swivel__parker_wait(own.parker, never))
                }
                #expect(count == 2 * round + thread)
                count += 1
                swivel__parker_wake(other.parker)
            }
        }
        #expect(count == 2 * rounds)
    }
}
