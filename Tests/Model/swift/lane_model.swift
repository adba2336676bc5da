// SPDX-License-Identifier: Apache-2.0
// The lane of a future: each callback runs once, with the result, and never while another one of the
// same future runs; or it ends, once. Callbacks of one context keep their order of registration. One
// that has not started keeps none from running on another context, and none is left in a free lane.
// Nothing is used after its release, and nothing stays. The sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift nobody_waits.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureCell FuturePointer FuturePointer+Callbacks
// Sources: Sources/SwivelFutures/Future: FuturePointer+Lane FuturePointer+Abandonment FuturePointer+Follow
// Sources: Sources/SwivelFutures/Future: FuturePointer+Completion Lane
// Sources: Sources/SwivelFutures/Future: Handover RemovableCallbacks
// Sources: Sources/SwivelFutures/Future: SourceTrace CallbackContext Callback FailureObserver
//
// A result that is published without its value, and a lane without what its last owner has done:
// Mutant: FuturePointer+Callbacks.swift: s/expected: old, desired: new, ordering: .sequentiallyConsistent/expected: old, desired: new, ordering: .relaxed/
// A lane that is freed without a check for waiters:
// Mutant: Lane.swift: s/return lines.indices.compactMap(takeParked)/return []/
// A lane that somebody takes although another one has it:
// Mutant: Lane.swift: s/} else if let index, !isBusy {/} else if let index {/
// An immediate callback that takes the lane although another one has it:
// Mutant: Lane.swift: s/if !isBusy, !lines.contains/if !lines.contains/
// Callbacks of one context, each in a line of its own:
// Mutant: Lane.swift: s/lines.firstIndex(where: { $0.place == place })/lines.firstIndex(where: { _ in false })/
// Callbacks of all contexts in one line:
// Mutant: Lane.swift: s/lines.firstIndex(where: { $0.place == place })/lines.indices.first/
// A callback that has arrived, and is not known to have:
// Mutant: Lane.swift: s/callback.isParked = true/callback.isParked = false/
// A dropped callback that takes along the one behind it:
// Mutant: Lane.swift: s/return isBusy || isEmpty || !isFirst ? nil : takeParked(of: index)/return nil/
// A lane that becomes an object without the callback that is on its way:
// Mutant: FuturePointer+Lane.swift: s/if done, let waiting = FutureState.top(word) { state.lineUp(waiting) }/_ = done/
// A lane that becomes an object as a free one:
// Mutant: FuturePointer+Lane.swift: s/isBusy: word & FutureState.busy != 0/isBusy: false/
// Immediate callbacks that take the lane together, and do not free it:
// Mutant: FuturePointer+Lane.swift: s/if held.pointee.batch == 0 {/if held.pointee.batch < 0 {/
// A completion that takes its newest callback for the only one:
// Mutant: FuturePointer+Completion.swift: s/if newest?.cell.pointee.next != nil ||/if/
// A completion that leaves out of the lines what it sends:
// Mutant: FuturePointer+Completion.swift: s/^                Self.lineUp(callbacks, in: &state)//
// The right to complete, which is read and then taken:
// Mutant: FuturePointer+Callbacks.swift: s/expected: word, desired: word | flag,/expected: cell.pointee.state.load(ordering: .relaxed), desired: word | flag,/
// A late callback whose future is not retained:
// Mutant: FuturePointer+Callbacks.swift: s/^        _ = retained()$//
// A callback that its context drops, and that stays in its line:
// Mutant: Handover.swift: s/if needsLane { source?.leaveLine(self) }//
internal import SwivelCore

@main
enum LaneModel {
    static func main() {
        warmUp()
        explore("lane: a completion", reset: reset, check: checkInOrder) { thread in
            stub.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: register([0, 1], with: future)
                default: register([2], with: future)
                }
            }
        }
        explore("lane: late callbacks", preemptions: 3, reset: resetCompleted, check: checkInOrder)
        { thread in
            stub.use(thread) { future in
                register(thread == 0 ? [0, 1] : [Int(thread) + 1], with: future)
            }
        }
        exploreDirect()
        exploreContexts()
        exploreEnds()
    }
}

extension LaneModel {
    /// A direct callback needs no lane: it may run next to those that came late.
    static func exploreDirect() {
        explore("lane: a direct callback", reset: reset, check: checkDirect) { thread in
            stub.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: future.register(stub.callback(0, at: .direct))
                default: register([1, 2], with: future)
                }
            }
        }
    }
}

extension LaneModel {
    static func exploreContexts() {
        explore("lane: on a context", preemptions: 3, reset: resetQueue, check: checkInOrder) {
            completeOrRegister($0, dropping: false)
        }
        explore(
            "lane: a context that drops", preemptions: 3, reset: resetQueue, check: checkDropped
        ) {
            completeOrRegister($0, dropping: true)
        }
        explore(
            "lane: a context that never runs", preemptions: 3, reset: resetStalled,
            check: checkStalled
        ) { runBesideStalled($0) }
        explore(
            "lane: one that is sent again", preemptions: 3, reset: resetLateQueue,
            check: checkInOrder
        ) { registerLate($0, running: .max) }
        explore(
            "lane: one that is sent again, and dropped", preemptions: 3, reset: resetLateQueue,
            check: checkEachEnd
        ) { registerLate($0, running: 2) }
    }

    /// Thread 2 serves one of two queues; callback 0 is on the other.
    static func runBesideStalled(_ thread: Int32) {
        if thread == 2 { return stub.serve(until: 2) }
        stub.use(thread) { future in
            if thread == 0 {
                future.complete(7)
            } else {
                let contexts = [stub.stalled, stub.queue, stub.queue]
                for (number, queue) in contexts.enumerated() {
                    let context = queue.map { CallbackContext.of($0) } ?? .immediate
                    future.register(stub.callback(number, at: context))
                }
            }
        }
    }

    /// Thread 2 serves the queue, thread 1 adds two callbacks there, and thread 0 an immediate one.
    static func registerLate(_ thread: Int32, running kept: Int) {
        if thread == 2 { return stub.serve(until: 3, running: kept) }
        stub.use(thread) { future in
            guard let queue = stub.queue, thread == 1 else {
                return future.register(stub.callback(2))
            }
            for number in 0..<2 {
                future.register(stub.callback(number, at: CallbackContext.of(queue)))
            }
        }
    }

    static func exploreEnds() {
        explore("lane: two claims", reset: reset, check: checkClaims) { thread in
            stub.use(thread) { future in
                if thread == 2 {
                    register([0], with: future)
                } else if future.claim() {
                    future.complete(Int(thread) + 7)
                    stub.notes[1 + Int(thread)].ran += 1
                }
            }
        }
        explore("lane: an end without a result", reset: reset, check: checkEnded) { thread in
            stub.use(thread) { future in
                if thread == 0 {
                    withExtendedLifetime(future) { future.pointer.abandon(.abandoned("")) }
                } else {
                    register(thread == 1 ? [0, 1] : [2], with: future)
                }
            }
        }
        explore("lane: a release while pending", reset: reset, check: checkEnded) { thread in
            stub.use(thread) { register([Int(thread)], with: $0) }
        }
    }

    static func completeOrRegister(_ thread: Int32, dropping: Bool) {
        if thread == 2 {
            stub.serve(until: 3, running: dropping ? 0 : .max)
        }
        stub.use(thread) { future in
            if thread == 0 {
                future.complete(7)
            } else if thread == 1 {
                for number in 0..<3 {
                    let queue = number == 2 ? nil : stub.queue
                    let context = queue.map { CallbackContext.of($0) }
                    future.register(stub.callback(number, at: context ?? .immediate))
                }
            }
        }
    }

    static func register(_ numbers: [Int], with future: Callback) {
        for number in numbers {
            future.register(stub.callback(number))
        }
    }

    static func reset() { FutureStage.open() }

    static func resetCompleted() {
        reset()
        stub.futures[0]?.complete(7)
    }

    static func resetQueue() {
        reset()
        stub.queue = Queue()
        stub.futures[2] = nil
    }

    static func resetStalled() {
        resetQueue()
        stub.stalled = Queue()
    }

    static func resetLateQueue() {
        resetQueue()
        stub.futures[0]?.complete(7)
    }
}

extension LaneModel {
    static func checkInOrder() {
        for number in 0..<3 {
            expect(stub.notes[number].ran == 1, "each callback runs once")
            expect(stub.notes[number].ended == 0, "no callback ends without having run")
            expect(stub.notes[number].saw == 7, "each callback sees the result")
        }
        // Both are immediate, or both on the queue.
        expect(stub.notes[0].turn < stub.notes[1].turn, "callbacks run in order")
        FutureStage.close()
    }

    static func checkStalled() {
        expect(stub.notes[0].ran == 0, "a context that never runs runs nothing")
        for number in 1..<3 {
            expect(stub.notes[number].ran == 1, "a context that never runs holds up no other")
        }
        expect(stub.notes[1].turn < stub.notes[2].turn, "callbacks run in order")
        let late = Shared()
        late.add()
        while let work = stub.stalled?.next(unless: late, is: 1) { work() }
        expect(stub.notes[0].ran == 1, "each callback runs once")
        FutureStage.close()
    }

    static func checkEachEnd() {
        for number in 0..<3 {
            let note = stub.notes[number]
            expect(note.ran + note.ended == 1, "each callback runs or ends")
        }
        expect(stub.notes[2].ran == 1, "the lane goes on")
        FutureStage.close()
    }

    static func checkDirect() {
        for number in 0..<3 {
            expect(stub.notes[number].ran == 1, "each callback runs once")
            expect(stub.notes[number].saw == 7, "each callback sees the result")
        }
        expect(stub.notes[1].turn < stub.notes[2].turn, "callbacks run in order")
        FutureStage.close()
    }

    static func checkDropped() {
        expect(stub.notes[0].ended == 1 && stub.notes[1].ended == 1, "what is dropped ends once")
        expect(stub.notes[0].ran == 0 && stub.notes[1].ran == 0, "what is dropped does not run")
        expect(stub.notes[2].ran == 1 && stub.notes[2].saw == 7, "the lane goes on")
        FutureStage.close()
    }

    static func checkClaims() {
        let won = stub.notes[1].ran == 1 ? 7 : 8
        expect(stub.notes[1].ran + stub.notes[2].ran == 1, "one claim wins")
        expect(stub.notes[0].ran == 1 && stub.notes[0].saw == won, "its result is the future's")
        FutureStage.close()
    }

    static func checkEnded() {
        for number in 0..<3 {
            expect(stub.notes[number].ended == 1, "each callback ends once")
            expect(stub.notes[number].ran == 0, "no callback runs")
        }
        FutureStage.close()
    }
}
