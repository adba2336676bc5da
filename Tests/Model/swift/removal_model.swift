// SPDX-License-Identifier: Apache-2.0
// The cases that the lane's model leaves out: callbacks that are removed, a future that follows another
// one, and a trace along what futures wait for. No callback is lost or runs twice, and nothing that a trace
// finds is released before the trace has ended. The sources are the production ones.
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
// A callback that is removed by what was seen before the lock was taken:
// Mutant: RemovableCallbacks.swift: s/guard cell.pointee.source.load(ordering: .relaxed) == word else/guard true else/
// A completion that forgets the removable callbacks:
// Mutant: FuturePointer+Completion.swift: s/callbacks = takeRemovable(before: callbacks)/_ = 0/
// A removable callback of which the completer learns nothing:
// Mutant: RemovableCallbacks.swift: s/guard raise(FutureState.hasRemovable) else { return false }/guard !FutureState.isOver(cell.pointee.state.load(ordering: .acquiring)) else { return false }/
// A follower whose step runs while its link is being made:
// Mutant: FuturePointer+Follow.swift: s/return word & Self.linking == 0/return true/
// A link that ends without a check whether its leader is over:
// Mutant: FuturePointer+Follow.swift: s/^        follower.endLinking(to: self)/        follower.cell.pointee.source.store(bits, ordering: .sequentiallyConsistent)/
// A future that is released during a trace:
// Mutant: FuturePointer+Abandonment.swift: s/^        SourceTrace.letFinish()//
// A trace that is announced too late for some to see:
// Mutant: SourceTrace.swift: s/isUnderWay.store(true, ordering: .sequentiallyConsistent)/isUnderWay.store(true, ordering: .relaxed)/
internal import SwivelCore

// because no thread of a model changes it.
nonisolated(unsafe) private var removable: [Callback] = []

@main
enum RemovalModel {
    static func main() {
        warmUp()
        exploreRemovals()
        exploreLinks()
        exploreTraces()
    }
}

// Removals.
extension RemovalModel {
    static func exploreRemovals() {
        explore("removal: a completion and a removal", reset: reset, check: checkRemovals) {
            thread in
            stub.use(thread) { future in
                if thread == 0 {
                    future.complete(7)
                } else {
                    future.register(removable: removable[Int(thread)])
                    removable[Int(thread)].remove()
                }
            }
        }
        explore("removal: two removals", reset: resetReceived, check: checkRemovals) { thread in
            if thread == 0 {
                stub.use(0) { $0.complete(7) }
            } else {
                removable[1].remove()
                removable[2].remove()
            }
        }
        explore("removal: a release and a removal", reset: resetReceived, check: checkRemovals) {
            thread in
            if thread == 0 {
                stub.use(0) { _ in }
            } else {
                removable[Int(thread)].remove()
            }
        }
    }

    static func reset() {
        FutureStage.open()
        removable = (0..<3).map { number in
            let callback = Callback(at: .direct)
            callback.pointer.keep(Effect<Outcome> { _ in stub.notes[number].ran += 1 })
            callback.cell.step = { callback, source in
                let body = callback.take(Effect<Outcome>.self)
                if source == callback {
                    stub.notes[number].turn += 1  // It was removed.
                } else if let source {
                    body.run(source.outcome(Outcome.self).pointee)
                } else {
                    stub.notes[number].ended += 1
                }
            }
            return callback
        }
    }

    static func resetReceived() {
        reset()
        stub.futures[1]?.register(removable: removable[1])
        stub.futures[1]?.register(removable: removable[2])
        stub.futures[1] = nil
        stub.futures[2] = nil
    }

    static func checkRemovals() {
        for number in 1..<3 {
            let note = stub.notes[number]
            expect(note.ran + note.ended + note.turn == 1, "a callback runs, ends or is removed")
        }
        removable = []
        FutureStage.close()
    }
}

// Links.
extension RemovalModel {
    static func exploreLinks() {
        explore("removal: a link", reset: resetLink, check: checkLink) { thread in
            switch thread {
            case 0: stub.use(0) { $0.complete(7) }
            case 1: stub.use(1) { stub.derived?.follow($0) }
            default: stub.derived?.register(stub.callback(0))
            }
        }
        explore("removal: a link to what is released", reset: resetLink, check: checkDeadLink) {
            thread in
            switch thread {
            case 0: stub.use(0) { _ in }
            case 1: stub.use(1) { stub.derived?.follow($0) }
            default: stub.derived?.register(stub.callback(0))
            }
        }
    }

    static func resetLink() {
        FutureStage.open(threads: 2)
        stub.derived = Callback(at: .direct)
    }

    static func checkLink() {
        expect(stub.notes[0].ran == 1 && stub.notes[0].saw == 7, "a follower completes once")
        FutureStage.close()
    }

    static func checkDeadLink() {
        expect(stub.notes[0].ran == 0 && stub.notes[0].ended == 1, "a follower ends once")
        FutureStage.close()
    }
}

// Traces.
extension RemovalModel {
    static func exploreTraces() {
        explore("removal: a trace of a chain", preemptions: 3, reset: resetChain, check: checkChain)
        {
            thread in
            switch thread {
            case 0: stub.use(0) { $0.complete(7) }
            case 1: trace()
            default: stub.serve(until: 1)
            }
        }
        explore(
            "removal: a trace of what ends", preemptions: 3, reset: resetChain,
            check: checkDeadChain
        ) { thread in
            if thread == 0 { stub.use(0) { _ in } } else if thread == 1 { trace() }
        }
    }

    /// From the last future of the chain, which this thread keeps.
    static func trace() {
        for context in stub.derived?.pointer.contextsNeeded ?? [] {
            expect(context as AnyObject === stub.queue, "a trace finds contexts that exist")
        }
    }

    /// A future, the one that derives from it on the queue, and the one that derives from that.
    static func resetChain() {
        FutureStage.open(threads: 1)
        let queue = Queue()
        stub.queue = queue
        stub.derived = stub.futures[0]?.mapped(at: CallbackContext.of(queue)).mapped(
            at: .immediate)
        stub.derived?.register(stub.callback(0))
    }

    static func checkChain() {
        expect(stub.notes[0].ran == 1 && stub.notes[0].saw == 9, "a chain completes once")
        FutureStage.close()
    }

    static func checkDeadChain() {
        expect(stub.notes[0].ran == 0 && stub.notes[0].ended == 1, "a chain ends once")
        FutureStage.close()
    }
}
