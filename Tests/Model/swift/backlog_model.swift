// SPDX-License-Identifier: Apache-2.0
// Tasks that wait for room on a full loop, against its turns, their cancels and each other: each is
// resumed once, none waits while there is room, and its work runs if and only if it was accepted. The
// backlog and the loop are the production sources.
//
// Module: SwivelCore
// Beside: backlogs.swift cancelling.swift closures.swift
// On: stub
// Sources: Sources/SwivelCore/Loop: Backlog Loop+Backlog
// Sources: Sources/SwivelCore/Timers: Work
// Sources: Sources/SwivelCore/Concurrency: Lock PoolLane WaitingLine
// Edit: Loop+Backlog.swift: s/ async -> Bool/ -> Bool/; s/await //
//
// A wait that the loop is not informed of:
// Mutant: Backlog.swift: /func add/,/^    }/s/^            setMark(state, loop)$//
// A check of the room that comes before the post:
// Mutant: Backlog.swift: s/} else if swivel__waiting_posts(loop.record) >= limit {/} else {/
// A thread that sees room while another one posts, and leaves it at that:
// Mutant: Backlog.swift: s/state.hasRoomAgain = state.isAdmitting/state.hasRoomAgain = false/
// A cancel that takes what another thread is posting:
// Mutant: Backlog.swift: s/!(state.isPosting && state.posts.first === post), //
// A wait that does not check whether there is room by now:
// Mutant: Backlog.swift: s/^        admit(to: loop)$//
internal import CSwivel
internal import Explorer
@preconcurrency internal import Stub

nonisolated(unsafe) private var loops: [Loop] = []  // because no thread of a model changes it.

@main
enum BacklogModel {
    static func main() {
        _ = Loop.closures
        explore("backlog: two tasks", accepted: 1...2) { post($0) }
        explore("backlog: a cancel", preemptions: 3, accepted: nil) {
            if $0 == 1 { post(1) } else { postingTasks[0].cancellation.cancel() }
        }
        explore("backlog: a try and a task", accepted: 1...1) {
            if $0 == 1 { post(1) } else { tryToPost() }
        }
    }

    /// Thread 0 drives the loop, which is full. The work of the threads `accepted` runs.
    static func explore(
        _ name: StaticString, preemptions: Int32 = 2, accepted: ClosedRange<Int32>?,
        body: @escaping (Int32) -> Void
    ) {
        SwivelCore.explore(
            name, preemptions: preemptions, reset: reset, stuck: stub_stuck,
            check: { check(accepted) }
        ) {
            if $0 == 0 { stub_drive() } else { body($0) }
        }
    }

    /// As a task: waits for room.
    static func post(_ thread: Int32) {
        let isAccepted = loops[0].execute(waitingIfFull: { runtime_add(Number.runs + thread, 1) })
        runtime_set(Number.answers + thread, isAccepted ? 1 : 2)
    }

    /// As `Loop.tryExecute(_:)`.
    static func tryToPost() {
        let words = Work.words { runtime_add(Number.runs + 2, 1) }
        let status = swivel_try_post(loops[0].record, words)
        let isAccepted = status == SWIVEL_OK || loops[0].divertOrRelease(words, status)
        runtime_set(Number.answers + 2, isAccepted ? 1 : 2)
    }
}

// Before and after an execution.
extension BacklogModel {
    static func reset() {
        stub_closures = Loop.closures
        stub_open()
        loops = [Loop(stub_loop)]
        postingTasks = [PostingTask(ofThread: 1), PostingTask(ofThread: 2)]
        expect(loops[0].submit {} == SWIVEL_OK, "there is room for one post")
    }

    static func check(_ accepted: ClosedRange<Int32>?) {
        for thread: Int32 in 1...2 {
            let (answer, runs) = (
                runtime_value(Number.answers + thread), runtime_value(Number.runs + thread)
            )
            expect(runs == (answer == 1 ? 1 : 0), "work runs if and only if it is accepted")
            expect(answer == 1 || accepted?.contains(thread) != true, "there is room again")
        }
        close()
    }

    static func close() {
        expect(loops[0].tasksWaitingForRoom == 0, "no task waits")
        stub_close()
        loops = []
        postingTasks = []
    }
}
