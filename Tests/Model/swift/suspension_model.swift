// SPDX-License-Identifier: Apache-2.0
// A task that waits for a future, which ends, against the task's cancellation: the task is resumed
// once, with what the future has; and a wait that was cancelled leaves nothing in the future. The
// sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift nobody_waits.swift tasks.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureState FutureCell FuturePointer FuturePointer+Callbacks
// Sources: Sources/SwivelFutures/Future: FuturePointer+Lane FuturePointer+Abandonment FuturePointer+Follow
// Sources: Sources/SwivelFutures/Future: FuturePointer+Completion FuturePointer+Trampoline Lane
// Sources: Sources/SwivelFutures/Future: Handover RemovableCallbacks
// Sources: Sources/SwivelFutures/Future: SourceTrace CallbackContext Callback FailureObserver Transform
// Sources: Sources/SwivelFutures/Future: Suspension
//
// A continuation that is published without its contents:
// Mutant: Suspension.swift: s/bitwiseOr(bit, ordering: .acquiringAndReleasing)/bitwiseOr(bit, ordering: .relaxed)/
// A wait whose beginning does not check whether it was cancelled meanwhile:
// Mutant: Suspension.swift: s/if set(Self.registered) & Self.cancelled != 0 {/if set(Self.registered) \& 0 != 0 {/
// A cancel that leaves the callback where it is:
// Mutant: Suspension.swift: s/if resume(Self.cancelled) & Self.registered != 0 {/if resume(Self.cancelled) \& 0 != 0 {/
// A wait that is cancelled before it begins, and does not see it:
// Mutant: Suspension.swift: s/if set(Self.ready) != 0 {/if set(Self.ready) \& Self.result != 0 {/
// A result that does not see the cancel:
// Mutant: Suspension.swift: s/if old & (Self.ready | Self.result | Self.cancelled) == Self.ready/if old \& (Self.ready | Self.result) == Self.ready/
internal import SwivelCore
internal import Synchronization

/// The state of an execution beside its future.
private final class TaskStage: Sendable {
    let suspension = Suspension()
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
            default: tasks[0].suspension.cancel()
            }
        }
        explore("suspension: a cancel", threads: 2, reset: reset, check: checkPending) { thread in
            if thread == 0 { tasks[0].suspension.cancel() } else { suspend() }
        }
        explore("suspension: a release and a cancel", reset: resetReleased, check: close) {
            thread in
            switch thread {
            case 0: stub.use(0) { withExtendedLifetime($0) { $0.pointer.abandon(.abandoned("")) } }
            case 1: suspend()
            default: tasks[0].suspension.cancel()
            }
        }
    }

    /// As `FuturePointer.suspendUntilCancelled`.
    static func suspend() {
        stub.use(1) { future in
            let (suspension, waiter) = (tasks[0].suspension, tasks[0].waiter)
            suspension.begin(UnsafeContinuation(waiter: waiter), for: future.pointer)
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
