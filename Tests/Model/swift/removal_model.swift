// SPDX-License-Identifier: Apache-2.0
// What hangs on a future by other ways than its lane: visitors, which may leave; a future that
// follows another one; and a look along what futures wait for. Nobody is lost or told twice, and
// nothing that a look finds goes before the look has ended. The sources are the production ones.
//
// Module: SwivelFutures
// Beside: futures.swift
// On: threads
// Sources: Sources/SwivelFutures/Future: FutureState FutureCell FutureRef FutureRef+Callbacks
// Sources: Sources/SwivelFutures/Future: FutureRef+Lane FutureRef+Abandonment FutureRef+Follow
// Sources: Sources/SwivelFutures/Future: LaneTicket Visitors Visit Lookout Home AnyFuture
// Sources: Sources/SwivelFutures/Future: FailureWatch Transform
//
// A visitor that leaves by what it saw before it had the lock:
// Mutant: Visitors.swift: s/guard cell.pointee.source.load(ordering: .relaxed) == host else/guard true else/
// A completion that does not ask for visitors:
// Mutant: FutureRef+Callbacks.swift: s/callbacks = visitorsTaken(before: callbacks)/_ = 0/
// A visitor that is received without a word to whoever completes:
// Mutant: Visitors.swift: s/guard expect(FutureState.visited) else { return false }/guard !FutureState.isOver(cell.pointee.state.load(ordering: .acquiring)) else { return false }/
// A follower that goes on while its link is being made:
// Mutant: FutureRef+Follow.swift: s/if done { return false }/if done { return true }/
// A link that ends without a look at whether its leader has been there:
// Mutant: FutureRef+Follow.swift: s/^        follower.endLinking(to: self)/        follower.cell.pointee.source.store(bits, ordering: .sequentiallyConsistent)/
// A future that goes while somebody looks at it:
// Mutant: AnyFuture.swift: s/^        Lookout.letPass()//
// A look that is announced too late for some to see:
// Mutant: Lookout.swift: s/isUnderWay.store(true, ordering: .sequentiallyConsistent)/isUnderWay.store(true, ordering: .relaxed)/
internal import SwivelCore

nonisolated(unsafe) private var visits: [Visit] = []  // because no thread of a model changes it.

@main
enum VisitModel {
    static func main() {
        warmUp()
        exploreVisits()
        exploreLinks()
        exploreLooks()
    }
}

// Visitors.
extension VisitModel {
    static func exploreVisits() {
        explore("visit: a completion and a leave", reset: reset, check: checkVisits) { thread in
            stage.use(thread) { future in
                if thread == 0 {
                    future.complete(7)
                } else {
                    future.receive(visits[Int(thread)].visitor)
                    visits[Int(thread)].end()
                }
            }
        }
        explore("visit: two leave", reset: resetReceived, check: checkVisits) { thread in
            if thread == 0 {
                stage.use(0) { $0.complete(7) }
            } else {
                visits[1].end()
                visits[2].end()
            }
        }
        explore("visit: a release and a leave", reset: resetReceived, check: checkVisits) {
            thread in
            if thread == 0 {
                stage.use(0) { _ in }
            } else {
                visits[Int(thread)].end()
            }
        }
    }

    static func reset() {
        FutureStage.open()
        visits = (0..<3).map { number in
            let visit = Visit {
                _ = $0.takenCallback(Outcome.self)
                stage.notes[number].turn += 1  // It left.
            }
            visit.visitor.ref.keep(callback: { (_: Outcome) in stage.notes[number].ran += 1 })
            visit.visitor.cell.step = { callback, source in
                let body = callback.takenCallback(Outcome.self)
                if let source {
                    body.run(source.outcome(Outcome.self).pointee)
                } else {
                    stage.notes[number].ended += 1
                }
            }
            return visit
        }
    }

    static func resetReceived() {
        reset()
        stage.futures[1]?.receive(visits[1].visitor)
        stage.futures[1]?.receive(visits[2].visitor)
        stage.futures[1] = nil
        stage.futures[2] = nil
    }

    static func checkVisits() {
        for number in 1..<3 {
            let note = stage.notes[number]
            expect(note.ran + note.ended + note.turn == 1, "a visitor is told, ended or gone")
        }
        visits = []
        FutureStage.close()
    }
}

// Links.
extension VisitModel {
    static func exploreLinks() {
        explore("visit: a link", reset: resetLink, check: checkLink) { thread in
            switch thread {
            case 0: stage.use(0) { $0.complete(7) }
            case 1: stage.use(1) { stage.derived?.follow($0) }
            default: stage.derived?.register(stage.callback(0))
            }
        }
        explore("visit: a link to what is released", reset: resetLink, check: checkDeadLink) {
            thread in
            switch thread {
            case 0: stage.use(0) { _ in }
            case 1: stage.use(1) { stage.derived?.follow($0) }
            default: stage.derived?.register(stage.callback(0))
            }
        }
    }

    static func resetLink() {
        FutureStage.open(threads: 2)
        stage.derived = AnyFuture()
    }

    static func checkLink() {
        expect(stage.notes[0].ran == 1 && stage.notes[0].saw == 7, "a follower completes once")
        FutureStage.close()
    }

    static func checkDeadLink() {
        expect(stage.notes[0].ran == 0 && stage.notes[0].ended == 1, "a follower ends once")
        FutureStage.close()
    }
}

// Looks.
extension VisitModel {
    static func exploreLooks() {
        explore("visit: a look at a chain", preemptions: 3, reset: resetChain, check: checkChain) {
            thread in
            switch thread {
            case 0: stage.use(0) { $0.complete(7) }
            case 1: look()
            default: stage.serve(until: 1)
            }
        }
        explore(
            "visit: a look at what ends", preemptions: 3, reset: resetChain, check: checkDeadChain
        ) { thread in
            if thread == 0 { stage.use(0) { _ in } } else if thread == 1 { look() }
        }
    }

    /// From the last future of the chain, which this thread keeps.
    static func look() {
        for context in stage.derived?.contextsNeeded ?? [] {
            expect(context as AnyObject === stage.queue, "a look finds contexts that are there")
        }
    }

    /// A future, the one that derives from it on the queue, and the one that derives from that.
    static func resetChain() {
        FutureStage.open(threads: 1)
        let queue = Queue()
        stage.queue = queue
        stage.derived = stage.futures[0]?.mapped(at: Home.of(queue)).mapped(at: .immediate)
        stage.derived?.register(stage.callback(0))
    }

    static func checkChain() {
        expect(stage.notes[0].ran == 1 && stage.notes[0].saw == 9, "a chain completes once")
        FutureStage.close()
    }

    static func checkDeadChain() {
        expect(stage.notes[0].ran == 0 && stage.notes[0].ended == 1, "a chain ends once")
        FutureStage.close()
    }
}
