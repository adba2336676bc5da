// SPDX-License-Identifier: Apache-2.0
// Threads that wait for a future, against its completion, its abandonment and their time limits: a
// wait without a limit ends, and not before its future; a wait leaves nothing behind in the room.
// All futures share one list. The sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift waits.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureCell FuturePointer FuturePointer+Callbacks
// Sources: Sources/SwivelFutures/Future: FuturePointer+Lane FuturePointer+Abandonment FuturePointer+Follow
// Sources: Sources/SwivelFutures/Future: FuturePointer+Completion Lane
// Sources: Sources/SwivelFutures/Future: Handover RemovableCallbacks
// Sources: Sources/SwivelFutures/Future: SourceTrace CallbackContext Callback FailureObserver
// Sources: Sources/SwivelFutures/Future: WaitingRoom
// Edit: WaitingRoom.swift: /^internal import SwivelDispatch$/d
// Edit: WaitingRoom.swift: s/FutureNeed.contexts(of: future)/future.contextsNeeded/
// Edit: WaitingRoom.swift: s/0\.\.<64/0..<1/
// Edit: WaitingRoom.swift: s/Lock<Waits>.ofProcess { _ in \[\] }/Lock({ var waits = Waits(); waits.reserveCapacity(4); return waits }())/
// Edit: WaitingRoom.swift: s/lists\[future.hash\]/lists[0]/
//
// A wait of which the completer knows nothing:
// Mutant: WaitingRoom.swift: s/guard future.raise(FutureState.awaited) else { return true }//
// A wait that enters the room behind the completer's back:
// Mutant: WaitingRoom.swift: s/if future.isOver { return true }//
// A wait that enters the room before it is counted:
// Mutant: WaitingRoom.swift: s/occupants.add(1, ordering: .sequentiallyConsistent)/occupants.add(1, ordering: .relaxed)/
// A completion that asks too early whether somebody is in the room:
// Mutant: WaitingRoom.swift: s/occupants.load(ordering: .sequentiallyConsistent)/occupants.load(ordering: .relaxed)/
// A wait that checks for the end before it is counted:
// Mutant: FuturePointer+Callbacks.swift: s/cell.pointee.state.load(ordering: .sequentiallyConsistent))/cell.pointee.state.load(ordering: .relaxed))/
// A wait that is still in the room when its thread has gone on:
// Mutant: WaitingRoom.swift: s/defer { list.withLock.*//
// A completion that wakes the threads that wait for another future:
// Mutant: WaitingRoom.swift: s/\$0\.future == future.bits/$0.future != 0/
// A completion that wakes one thread only:
// Mutant: WaitingRoom.swift: s/while let latch = /if let latch = /
// A wait that takes others with it when it leaves the room:
// Mutant: WaitingRoom.swift: s/\$0\.latch === latch/$0.latch === $0.latch/
// A completion that searches for waits in the state that it has replaced:
// Mutant: FuturePointer+Completion.swift: s/if word & FutureState.awaited != 0 {/if cell.pointee.state.load(ordering: .relaxed) \& FutureState.awaited != 0 {/
// A wait for what is over that does not see the result:
// Mutant: FuturePointer+Callbacks.swift: s/var word = cell.pointee.state.load(ordering: .acquiring)/var word = cell.pointee.state.load(ordering: .relaxed)/
internal import Explorer
internal import SwivelCore

/// Where the futures of an execution are, or were. No thread waits there in the end.
private struct Places {
    var first: FuturePointer?
    var second: FuturePointer?
}

nonisolated(unsafe) private var places = Places()  // because no thread of a model changes it.

@main
enum WaitingModel {
    static func main() {
        warmUp()
        WaitingRoom.wakeOccupants(of: Callback(at: .direct).pointer)
        explore("waiting: two threads", preemptions: 3, reset: reset, check: close) { thread in
            stub.use(thread) { thread == 0 ? $0.complete(7) : wait(for: $0) }
        }
        explore("waiting: two futures", preemptions: 3, reset: resetTwo, check: close) { thread in
            stub.use(thread) { thread == 0 ? completeBoth($0) : wait(for: $0) }
        }
        explore("waiting: an abandonment", preemptions: 3, reset: reset, check: close) { thread in
            stub.use(thread) { future in
                if thread == 0 {
                    withExtendedLifetime(future) { future.pointer.abandon(.abandoned("")) }
                } else {
                    wait(for: future)
                }
            }
        }
        explore("waiting: a time limit", preemptions: 3, reset: reset, check: close) { thread in
            stub.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: wait(for: future, until: .limit)
                default: Limit.passed?.add()
                }
            }
        }
        explore("waiting: limits alone", preemptions: 3, reset: reset, check: close) { thread in
            stub.use(thread) { future in
                if thread == 0 { Limit.passed?.add() } else { wait(for: future, until: .limit) }
            }
        }
        explore("waiting: a limit and a wait", preemptions: 3, reset: resetPast, check: close) {
            thread in
            stub.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: wait(for: future, until: .limit)
                default: wait(for: future)
                }
            }
        }
    }

    static func wait(for future: Callback, until deadline: LoopClock.Instant = .never) {
        withExtendedLifetime(future) {
            let isOver = WaitingRoom.wait(
                for: future.pointer, until: deadline, operation: "", file: "", line: 0)
            expect(isOver || deadline == .limit, "a wait ends with its future")
            if isOver { read(future) }
        }
    }

    /// The wait has ordered what is read here.
    static func read(_ future: Callback) {
        if FutureState.isCompleted(future.cell.state.load(ordering: .relaxed)) {
            let outcome = future.pointer.outcome(Outcome.self).pointee
            expect(outcome == .success(7), "the thread sees the result")
        } else {
            expect(future.pointer.causeOfAbandonment != nil, "a wait ends behind its future")
        }
    }

    /// The future of threads 0 and 1, and then that of thread 2.
    static func completeBoth(_ future: Callback) {
        let other = stub.derived
        future.complete(7)
        other?.complete(7)
    }
}

extension WaitingModel {
    static func reset() {
        FutureStage.open(threads: 3)
        Limit.passed = Shared()
        places = Places(first: stub.futures[0]?.pointer)
    }

    /// Thread 2 waits for another future, which thread 0 keeps too.
    static func resetTwo() {
        reset()
        stub.derived = Callback(at: .direct)
        stub.futures[2] = stub.derived
        places.second = stub.derived?.pointer
    }

    /// The time is up before the wait begins.
    static func resetPast() {
        reset()
        Limit.passed?.add()
    }

    static func close() {
        FutureStage.close()
        Limit.passed = nil
        // A latch that is still in the room is opened, and finds that the execution is over.
        _ = places.first.map(WaitingRoom.wakeOccupants)
        _ = places.second.map(WaitingRoom.wakeOccupants)
    }
}
