// SPDX-License-Identifier: Apache-2.0
// A task that sleeps in a node of a loop's wheel, against its cancellation: it is resumed once, by
// the loop at its instant or by the cancel before that, and the cancel is never lost. `Sleep`, the
// loop and its wheel are the production sources.
//
// Module: SwivelCore
// Beside: sleepers.swift cancelling.swift
// On: stub
// Sources: Sources/SwivelCore/Time: Sleep Duration+Nanoseconds
// Sources: Sources/SwivelCore/Concurrency: Lock
// Edit: Sleep.swift: s/nonisolated(nonsending) //; s/ async throws/ throws/; s/try await/try/
//
// A sleep that does not check whether it was cancelled while it was armed:
// Mutant: Sleep.swift: s/if meeting.exchange(number, ordering: .acquiringAndReleasing) == cancelled/if meeting.exchange(number, ordering: .acquiringAndReleasing) == 1/
// A cancel that finds the timer, and then reports that it was there:
// Mutant: Sleep.swift: s/let number = meeting.exchange(cancelled, ordering: .acquiringAndReleasing)/let number = meeting.load(ordering: .acquiring); meeting.store(cancelled, ordering: .releasing)/
// A cancel that resumes a task whose timer has fired:
// Mutant: Sleep.swift: s/if swivel__cancel(timer, &work) == SWIVEL_CANCELLED/if swivel__cancel(timer, \&work) != SWIVEL_RUNNING/
// A number that is published without what the task has done to its node:
// Mutant: Sleep.swift: s/meeting.exchange(number, ordering: .acquiringAndReleasing)/meeting.exchange(number, ordering: .relaxed)/
internal import CSwivel
internal import CSwivel.Internal
internal import Explorer
@preconcurrency internal import Stub

nonisolated(unsafe) private var loops: [Loop] = []  // because no thread of a model changes it.

@main
enum SleepModel {
    static func main() {
        runtime_allow_old_reads(2)  // A cancel reads a node's state twice.
        explore(
            "sleep: a cancel", preemptions: 3, reset: reset, stuck: stub_stuck,
            check: checkCancelled
        ) {
            body($0, until: .at(5000))
        }
        explore(
            "sleep: a cancel at its end", preemptions: 3, reset: reset, stuck: stub_stuck,
            check: check
        ) {
            body($0, until: .after(0))
        }
        explore(
            "sleep: no cancel", threads: 2, preemptions: 3, reset: reset, stuck: stub_stuck,
            check: checkSlept
        ) {
            body($0, until: .at(5000))
        }
    }

    static func body(_ thread: Int32, until end: TimerRequest.Start) {
        switch thread {
        case 0:
            stub_drive()
        case 1:
            do {
                try Sleep.sleep(on: loops[0], until: end, tolerance: nil)
            } catch {
                expect(false, "a failure comes by the continuation")
            }
        default:
            SleepingTask.cancel()
        }
    }

    static func reset() {
        stub_open()
        SleepingTask.reset()
        loops = [Loop(stub_loop)]
    }

    /// Nothing but the cancel can have ended it: time moves when no thread can continue.
    static func checkCancelled() {
        expect(SleepingTask.hasFailed, "a cancel ends the sleep")
        expect(SleepingTask.work.ran == 0, "a sleep that was cancelled does not end twice")
        check()
    }

    static func checkSlept() {
        expect(!SleepingTask.hasFailed && stub_now == 5000, "a sleep ends at its instant")
        check()
    }

    static func check() {
        expect(SleepingTask.isResumed, "the task is resumed")
        expect((SleepingTask.work.ran == 1) != SleepingTask.hasFailed, "one of the two ends it")
        loops = []
        SleepingTask.close()
        stub_close()
    }
}
