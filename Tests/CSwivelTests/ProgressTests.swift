// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Synchronization
import Testing

/// The view that a watchdog has of a loop: it must not take a sleep for a closure.
@Suite struct ProgressTests {
    private func progress(_ loop: TestLoop) -> (isAwake: Bool, swivel_progress) {
        var progress = swivel_progress()
        let isAwake = swivel__loop_progress(loop.record, &progress)
        return (isAwake, progress)
    }

    /// So does one that was driven until it was stopped.
    @Test func aLoopThatWasStoppedIsDueWithItsWork() throws {
        let loop = try TestLoop(SWIVEL_CALLER)
        let (far, more) = (Cell {}, Cell {})
        let timer = loop.schedule(after: 1_000_000_000_000, far)
        let stop = Cell { swivel_loop_stop(loop.record) }
        loop.post(stop)
        #expect(swivel_loop_run(loop.record) == SWIVEL_OK)
        #expect(progress(loop).1.due_ns > swivel_now_ns())
        let stopAndMore = Cell {
            swivel_loop_stop(loop.record)
            loop.post(more)
        }
        loop.post(stopAndMore)
        #expect(swivel_loop_run(loop.record) == SWIVEL_OK)
        #expect(progress(loop).1.due_ns == 0)
        loop.runOnce()
        #expect(more.ran == 1)
        swivel_cancel(timer)
    }

    /// The pump slept, and its end came without a turn.
    @Test func aPumpsSleepIsNotItsClosures() async throws {
        try await offPool {
            let loop = try TestLoop()
            let (ends, seen) = (Instant(), Instant())
            let cell = Cell {
                swivel_loop_pump(
                    loop.record,
                    { argument in
                        argument.map {
                            Unmanaged<Instant>.fromOpaque($0).takeUnretainedValue().value != 0
                        } ?? true
                    },
                    Unmanaged.passUnretained(ends).toOpaque(), .max, 0)
                seen.value = progress(loop).1.since_ns
            }
            loop.post(cell)
            awaitUntil { loop.counters.parks > 0 && !progress(loop).isAwake }
            ends.value = swivel_now_ns()
            swivel_loop_wake(loop.record)
            cell.awaitRun()
            awaitUntil { seen.value != 0 }
            #expect(seen.value >= ends.value)
        }
    }

    private final class Instant: Sendable {
        private let word = Atomic<UInt64>(0)

        var value: UInt64 {
            get { word.load(ordering: .sequentiallyConsistent) }
            set { word.store(newValue, ordering: .sequentiallyConsistent) }
        }
    }
}
