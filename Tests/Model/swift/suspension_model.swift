// SPDX-License-Identifier: Apache-2.0
// A task that waits for a future, which ends, against the task's cancellation: the task is resumed
// once, with what the future has; and a wait that was cancelled leaves nothing in the future. The
// sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift nobody_waits.swift tasks.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureCell FuturePointer FuturePointer+Callbacks
// Sources: Sources/SwivelFutures/Future: FuturePointer+Lane FuturePointer+Abandonment FuturePointer+Follow
// Sources: Sources/SwivelFutures/Future: FuturePointer+Completion Lane
// Sources: Sources/SwivelFutures/Future: Handover RemovableCallbacks
// Sources: Sources/SwivelFutures/Future: SourceTrace CallbackContext Callback FailureObserver
// Sources: Sources/SwivelFutures/Future: Callback+Suspension
//
// A registration that a cancel does not see:
// Mutant: FuturePointer+Callbacks.swift: s/desired: word | flag, ordering: .acquiringAndReleasing/desired: word | flag, ordering: .relaxed/
// A wait whose beginning does not check whether it was cancelled before:
// Mutant: Callback+Suspension.swift: s/^        removeIfSecond()$//
// A cancel that leaves the callback where it is:
// Mutant: Callback+Suspension.swift: s/if !pointer.claim() { remove() }/_ = pointer.claim()/
// A cancel that passes for a result:
// Mutant: Callback+Suspension.swift: s/source != wait/true/
internal import SwivelCore

/// The state of an execution, next to its future.
private final class TaskStage: Sendable {
    let wait = Callback(at: .direct)
    let waiter = Waiter()
}

nonisolated(unsafe) private var tasks: [TaskStage] = []  // because no thread of a model changes it.

@main
enum SuspensionModel {
    static func main() {
        warmUp()
        explore("suspension: a result and a cancel", reset: reset, check: check) { thread in
            switch thread {
            case 0: stub.use(0) { $0.complete(7) }
            case 1: suspend()
            default: tasks[0].wait.removeIfSecond()
            }
        }
        explore("suspension: a cancel", threads: 2, reset: reset, check: checkPending) { thread in
            if thread == 0 { tasks[0].wait.removeIfSecond() } else { suspend() }
        }
        explore("suspension: a release and a cancel", reset: resetReleased, check: close) {
            thread in
            switch thread {
            case 0: stub.use(0) { withExtendedLifetime($0) { $0.pointer.abandon(.abandoned("")) } }
            case 1: suspend()
            default: tasks[0].wait.removeIfSecond()
            }
        }
    }

    /// As `FuturePointer.suspend`.
    static func suspend() {
        stub.use(1) { future in
            let (wait, waiter) = (tasks[0].wait, tasks[0].waiter)
            wait.begin(UnsafeContinuation(waiter: waiter), for: future.pointer, isRemovable: true)
            waiter.wait()
            if waiter.hasResult, future.isCompleted {
                let outcome = withExtendedLifetime(future) {
                    future.pointer.outcome(Outcome.self).pointee
                }
                expect(outcome == .success(7), "the task sees the result")
            } else if waiter.hasResult {
                expect(future.pointer.causeOfAbandonment != nil, "a wait ends with its future")
            }
        }
    }

    static func reset() {
        FutureStage.open(threads: 3)
        stub.futures[2] = nil
        tasks = [TaskStage()]
    }

    static func resetReleased() { reset() }

    static func check() {
        expect(tasks[0].waiter.hasResumed, "the task is resumed")
        close()
    }

    static func checkPending() {
        expect(tasks[0].waiter.hasResumed && !tasks[0].waiter.hasResult, "the wait is cancelled")
        let callbacks = stub.futures[0]?.cell.removable.load(ordering: .relaxed)
        expect(callbacks == 0, "a wait that was cancelled leaves nothing behind")
        close()
    }

    static func close() {
        tasks = []
        FutureStage.close()
    }
}
