// SPDX-License-Identifier: Apache-2.0
// The lane of a future: each callback runs once, with the result, in the order of registration, and
// never while another one of the same future runs; or it ends, once. Nothing is used after its
// release, and nothing stays. The sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift nobody_waits.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureState FutureCell FuturePointer FuturePointer+Callbacks
// Sources: Sources/SwivelFutures/Future: FuturePointer+Lane FuturePointer+Abandonment FuturePointer+Follow
// Sources: Sources/SwivelFutures/Future: Handover RemovableCallbacks
// Sources: Sources/SwivelFutures/Future: SourceTrace CallbackContext Callback FailureObserver Transform
//
// A result that is published without its value:
// Mutant: FuturePointer+Callbacks.swift: s/expected: old, desired: new, ordering: .sequentiallyConsistent/expected: old, desired: new, ordering: .relaxed/
// A lane that is given up without a look at who has come:
// Mutant: FuturePointer+Lane.swift: s/guard freesLane() else { return false }/_ = freesLane()/
// A lane that is taken over without what its last owner has done:
// Mutant: FuturePointer+Lane.swift: s/desired: FutureState.completed, ordering: .acquiringAndReleasing/desired: FutureState.completed, ordering: .acquiring/
// Late callbacks that come without what they keep:
// Mutant: FuturePointer+Lane.swift: s/exchange(busy, ordering: .acquiringAndReleasing)/exchange(busy, ordering: .relaxed)/
// The right to complete, which is looked at and then taken:
// Mutant: FuturePointer+Callbacks.swift: s/expected: word, desired: word | flag,/expected: cell.pointee.state.load(ordering: .relaxed), desired: word | flag,/
// A direct callback that is taken for the only one:
// Mutant: FuturePointer+Lane.swift: s/newest.cell.pointee.next == nil, newest/newest/
// A late callback for which nobody keeps the future:
// Mutant: FuturePointer+Callbacks.swift: s/retained().runLane()/runLane()/
// Callbacks of a context that drops them, whose lane ends with them:
// Mutant: Handover.swift: s/^        source?.runLane()$/        source?.release()/
internal import SwivelCore

@main
enum LaneModel {
    static func main() {
        warmUp()
        explore("lane: a completion", reset: reset, check: checkInOrder) { thread in
            stage.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: register([0, 1], with: future)
                default: register([2], with: future)
                }
            }
        }
        explore("lane: late callbacks", preemptions: 3, reset: resetCompleted, check: checkInOrder)
        { thread in
            stage.use(thread) { future in
                register(thread == 0 ? [0, 1] : [Int(thread) + 1], with: future)
            }
        }
        exploreDirect()
        exploreContexts()
        exploreEnds()
    }
}

extension LaneModel {
    /// A direct callback needs no lane: it may run beside those that came late.
    static func exploreDirect() {
        explore("lane: a direct callback", reset: reset, check: checkDirect) { thread in
            stage.use(thread) { future in
                switch thread {
                case 0: future.complete(7)
                case 1: future.register(stage.callback(0, at: .direct))
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
    }

    static func exploreEnds() {
        explore("lane: two claims", reset: reset, check: checkClaims) { thread in
            stage.use(thread) { future in
                if thread == 2 {
                    register([0], with: future)
                } else if future.claim() {
                    future.complete(Int(thread) + 7)
                    stage.notes[1 + Int(thread)].ran += 1
                }
            }
        }
        explore("lane: an end without a result", reset: reset, check: checkEnded) { thread in
            stage.use(thread) { future in
                if thread == 0 {
                    withExtendedLifetime(future) { future.pointer.abandon(.abandoned("")) }
                } else {
                    register(thread == 1 ? [0, 1] : [2], with: future)
                }
            }
        }
        explore("lane: a release while pending", reset: reset, check: checkEnded) { thread in
            stage.use(thread) { register([Int(thread)], with: $0) }
        }
    }

    static func completeOrRegister(_ thread: Int32, dropping: Bool) {
        if thread == 2 {
            stage.serve(until: 3, dropping: dropping)
        }
        stage.use(thread) { future in
            if thread == 0 {
                future.complete(7)
            } else if thread == 1 {
                for number in 0..<3 {
                    let queue = number == 2 ? nil : stage.queue
                    let context = queue.map { CallbackContext.of($0) }
                    future.register(stage.callback(number, at: context ?? .immediate))
                }
            }
        }
    }

    static func register(_ numbers: [Int], with future: Callback) {
        for number in numbers {
            future.register(stage.callback(number))
        }
    }

    static func reset() { FutureStage.open() }

    static func resetCompleted() {
        reset()
        stage.futures[0]?.complete(7)
    }

    static func resetQueue() {
        reset()
        stage.queue = Queue()
        stage.futures[2] = nil
    }
}

extension LaneModel {
    static func checkInOrder() {
        for number in 0..<3 {
            expect(stage.notes[number].ran == 1, "each callback runs once")
            expect(stage.notes[number].ended == 0, "no callback ends without having run")
            expect(stage.notes[number].saw == 7, "each callback sees the result")
        }
        if stage.queue == nil {
            expect(stage.notes[0].turn < stage.notes[1].turn, "callbacks run in order")
        }
        FutureStage.close()
    }

    static func checkDirect() {
        for number in 0..<3 {
            expect(stage.notes[number].ran == 1, "each callback runs once")
            expect(stage.notes[number].saw == 7, "each callback sees the result")
        }
        expect(stage.notes[1].turn < stage.notes[2].turn, "callbacks run in order")
        FutureStage.close()
    }

    static func checkDropped() {
        expect(stage.notes[0].ended == 1 && stage.notes[1].ended == 1, "what is dropped ends once")
        expect(stage.notes[0].ran == 0 && stage.notes[1].ran == 0, "what is dropped does not run")
        expect(stage.notes[2].ran == 1 && stage.notes[2].saw == 7, "the lane goes on")
        FutureStage.close()
    }

    static func checkClaims() {
        let won = stage.notes[1].ran == 1 ? 7 : 8
        expect(stage.notes[1].ran + stage.notes[2].ran == 1, "one claim wins")
        expect(stage.notes[0].ran == 1 && stage.notes[0].saw == won, "its result is the future's")
        FutureStage.close()
    }

    static func checkEnded() {
        for number in 0..<3 {
            expect(stage.notes[number].ended == 1, "each callback ends once")
            expect(stage.notes[number].ran == 0, "no callback runs")
        }
        FutureStage.close()
    }
}
