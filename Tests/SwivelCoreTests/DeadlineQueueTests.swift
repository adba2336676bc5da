// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Deadlines under one timer: T1, T2, F3.
@Suite(.offPool) struct DeadlineQueueTests {
    /// More have come than one step takes. The next step, which the loop's end drops, is no refusal.
    @Test func aLoopThatEndsBetweenTwoStepsRefusesNothing() throws {
        let (loop, fired) = (try Loop(), Gate())
        let queue = DeadlineQueue<Int>(on: loop) { [unowned loop] _ in
            loop.shutdown()
            fired.open()
        }
        loop.onThread { for id in 0..<3_000 { queue.add(id, at: loop.now) } }
        fired.wait()
        #expect(loop.shutdown().refused == 0)
    }

    /// A crowd comes in steps, between which posts run.
    @Test func aCrowdComesInStepsBetweenWhichPostsRun() throws {
        let loop = try manualLoop()
        let log = Shared<[Int]>()
        let queue = DeadlineQueue<Int>(on: loop) { [weak loop] ids in
            log.append(ids.count)
            loop?.execute { log.append(0) }
        }
        let instant = loop.now.advanced(by: .seconds(1))
        for id in 0..<10_000 { queue.add(id, at: instant) }
        loop.advance(by: .seconds(2))
        #expect(log.value.reduce(0, +) == 10_000 && log.value.allSatisfy { $0 <= 1024 })
        let pairs = zip(log.value, log.value.dropFirst())
        #expect(pairs.allSatisfy { ($0 > 0) != ($1 > 0) }, "a post after each batch")
    }

    /// Random use against a dictionary.
    @Test func randomUseDoesAsTheModelSays() throws {
        var random = Seeded()
        for _ in 0..<10 {
            let loop = try manualLoop()
            let came = Shared<[Int]>()
            let queue = DeadlineQueue<Int>(on: loop) { came.value += $0 }
            var model: [Int: (deadline: UInt64, order: Int, entry: DeadlineEntry)] = [:]
            var gone: [DeadlineEntry] = []
            for step in 0..<Machine.scaled(5_000) {
                let deadline =
                    loop.now.nanoseconds + UInt64.random(in: 0...50, using: &random) * 1_000
                let instant = LoopClock.Instant(nanoseconds: deadline)
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let isInside = Bool.random(using: &random)
                    let entry =
                        isInside
                        ? loop.inside { queue.add(step, at: instant) }
                        : queue.add(step, at: instant)
                    model[step] = (deadline, step, entry)
                case 4..<6:
                    guard let (id, found) = model.randomElement(using: &random) else { continue }
                    #expect(found.entry.move(to: instant))
                    model[id] = (deadline, step, found.entry)
                case 6..<7:
                    guard let (id, found) = model.randomElement(using: &random) else { continue }
                    #expect(found.entry.remove())
                    model[id] = nil
                    gone.append(found.entry)
                case 7..<8:
                    guard let entry = gone.randomElement(using: &random) else { continue }
                    #expect(!entry.remove() && !entry.move(to: instant))
                default:
                    loop.advance(by: .microseconds(Int.random(in: 0...40, using: &random)))
                }
                loop.runDue()
                let now = loop.now.nanoseconds
                let due = model.filter { $0.value.deadline <= now }.sorted {
                    ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order)
                }
                for (id, found) in due {
                    model[id] = nil
                    gone.append(found.entry)
                }
                guard Set(came.value) == Set(due.map(\.key)), queue.count == model.count else {
                    Issue.record("step \(step): \(came.value) came, not \(due.map(\.key))")
                    return
                }
                came.value = []
            }
        }
    }

    /// A queue that is dropped between two of its steps arms no other queue's timer, though one has
    /// taken its node over (T1).
    @Test func aStepThatIsLeftArmsNoOtherTimer() throws {
        let loop = try threadedLoop()
        let queue = Shared<DeadlineQueue<Int>?>(nil)
        let other = Shared<LoopTimer?>(nil)
        let (fired, over) = (Counter(), Gate())
        loop.execute {
            let dropped = DeadlineQueue<Int>(on: loop) { _ in
                queue.value = nil
                // Comes before the loop's own posts of this turn, and after this closure.
                onThread {
                    loop.execute { other.value = LoopTimer(on: loop) { fired.add() } }
                }
            }
            queue.value = dropped
            // More than expire in one step.
            let instant = loop.now.advanced(by: .milliseconds(20))
            for id in 0..<1_025 { dropped.add(id, at: instant) }
        }
        #expect(eventually { other.value != nil })
        loop.execute { loop.schedule(after: .milliseconds(5)) { over.open() } }
        over.wait()
        #expect(fired.value == 0)
        other.value = nil
    }
}
