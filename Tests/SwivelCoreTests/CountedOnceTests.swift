// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// One count for each closure of the program's, whatever keeps its time; none for bookkeeping.
@Suite(.offPool) struct CountedOnceTests {
    /// The objects that an arrangement uses.
    final class Scene: Sendable {
        let loop: Loop
        let ran = Counter()
        let kept = Shared<[any Sendable]>([])

        init(_ loop: Loop) { self.loop = loop }

        func keep(_ object: any Sendable) { kept.update { $0.append(object) } }

        var count: @Sendable () -> Void { { [ran] in ran.add() } }
    }

    /// Calls a function when it is released.
    private final class Releaser: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Closures that run.
        var runs = 1
        /// Closures that are pending if the loop ends at once.
        var pending = 1
        let arrange: @Sendable (Scene) -> Void

        init(
            _ name: String, runs: Int = 1, pending: Int = 1,
            _ arrange: @escaping @Sendable (Scene) -> Void
        ) {
            testDescription = name
            (self.runs, self.pending, self.arrange) = (runs, pending, arrange)
        }
    }

    static let kinds: [Kind] = [
        Kind("after") { $0.loop.schedule(after: .milliseconds(5), $0.count) },
        Kind("a post") { $0.loop.execute($0.count) },
        Kind("rearmed") {
            $0.loop.schedule(after: .milliseconds(2), $0.count).rearm(after: .milliseconds(5))
        },
        Kind("cancelled", runs: 0, pending: 0) {
            $0.loop.schedule(after: .milliseconds(2), $0.count).cancel()
        },
        Kind("once") { $0.loop.once("once \($0.loop)", after: .milliseconds(5), $0.count) },
        Kind("once, replaced") {
            for _ in 0..<3 { $0.loop.once("r \($0.loop)", after: .milliseconds(5), $0.count) }
        },
        Kind("once, with a limit") {
            for _ in 0..<3 {
                $0.loop.once(
                    "l \($0.loop)", after: .milliseconds(5), maxWait: .milliseconds(7), $0.count)
            }
        },
        Kind("LoopTimer") {
            let timer = LoopTimer(on: $0.loop, $0.count)
            timer.arm(after: .milliseconds(5))
            $0.keep(timer)
        },
        Kind("LoopTimer, moved") {
            let timer = LoopTimer(on: $0.loop, $0.count)
            timer.arm(after: .milliseconds(1))
            timer.arm(after: .milliseconds(5))
            $0.keep(timer)
        },
        Kind("LoopTimer, disarmed", runs: 0, pending: 0) {
            let timer = LoopTimer(on: $0.loop, $0.count)
            timer.arm(after: .milliseconds(1))
            timer.disarm()
            $0.keep(timer)
        },
        Kind("Coalescer") {
            let coalescer = Coalescer(on: $0.loop, after: .milliseconds(5), $0.count)
            for _ in 0..<3 { coalescer.call() }
            $0.keep(coalescer)
        },
        Kind("Coalescer, flushed") {
            let coalescer = Coalescer(on: $0.loop, after: .hours(1), $0.count)
            coalescer.call()
            coalescer.flush()
            $0.keep(coalescer)
        },
        Kind("Coalescer, flushed twice") {
            let coalescer = Coalescer(on: $0.loop, after: .hours(1), $0.count)
            coalescer.call()
            coalescer.flush()
            coalescer.flush()
            $0.keep(coalescer)
        },
        Kind("Coalescer, cancelled", runs: 0, pending: 0) {
            let coalescer = Coalescer(on: $0.loop, after: .milliseconds(2), $0.count)
            coalescer.call()
            coalescer.cancel()
            $0.keep(coalescer)
        },
        Kind("Coalescer, released") {
            Coalescer(on: $0.loop, after: .milliseconds(5), $0.count).call()
        },
        Kind("Throttle") {
            let throttle = Throttle(on: $0.loop, every: .milliseconds(5), $0.count)
            for _ in 0..<3 { throttle.call() }
            $0.keep(throttle)
        },
        Kind("Throttle, both edges", runs: 2) { scene in
            let throttle = Shared<Throttle?>(nil)
            throttle.value = Throttle(on: scene.loop, every: .milliseconds(5)) {
                scene.count()
                if scene.ran.value == 1 { throttle.value?.call() }
                if scene.ran.value == 2 { throttle.value = nil }
            }
            throttle.value?.call()
            scene.keep(Releaser { throttle.value = nil })
        },
        Kind("Throttle, cancelled", runs: 0, pending: 0) {
            let throttle = Throttle(on: $0.loop, every: .milliseconds(5), $0.count)
            throttle.call()
            throttle.cancel()
            $0.keep(throttle)
        },
        Kind("Throttle, released") {
            Throttle(on: $0.loop, every: .milliseconds(5), edges: .trailing, $0.count).call()
        },
        Kind("DeadlineQueue") { scene in
            let queue = DeadlineQueue<Int>(on: scene.loop) { _ in scene.count() }
            queue.add(1, after: .milliseconds(5))
            scene.keep(queue)
        },
        Kind("DeadlineQueue, moved later") { scene in
            let queue = DeadlineQueue<Int>(on: scene.loop) { _ in scene.count() }
            queue.add(1, after: .milliseconds(1)).move(after: .milliseconds(5))
            scene.keep(queue)
        },
        Kind("DeadlineQueue, the first removed") { scene in
            let queue = DeadlineQueue<Int>(on: scene.loop) { _ in scene.count() }
            let entry = queue.add(1, after: .milliseconds(1))
            queue.add(2, after: .milliseconds(5))
            entry.remove()
            scene.keep(queue)
        },
        Kind("DeadlineQueue, all removed", runs: 0, pending: 0) { scene in
            let queue = DeadlineQueue<Int>(on: scene.loop) { _ in scene.count() }
            queue.add(1, after: .milliseconds(1)).remove()
            scene.keep(queue)
        },
        Kind("DeadlineQueue, three batches", runs: 3) { scene in
            let queue = DeadlineQueue<Int>(on: scene.loop) { _ in scene.count() }
            for id in 0..<3_000 { queue.add(id, after: .zero) }
            scene.keep(queue)
        },
        Kind("IdleTracker") { scene in
            let tracker = IdleTracker<Int>(on: scene.loop, after: .milliseconds(40)) { _ in
                scene.count()
            }
            tracker.add(1)
            scene.keep(tracker)
        },
        Kind("IdleTracker, touched") { scene in
            let tracker = IdleTracker<Int>(on: scene.loop, after: .milliseconds(40)) { _ in
                scene.count()
            }
            let entry = tracker.add(1)
            scene.loop.schedule(after: .milliseconds(20)) {
                entry.touch()
                scene.count()
            }
            scene.keep(tracker)
        },
        Kind("IdleTracker, all removed", runs: 0, pending: 0) { scene in
            let tracker = IdleTracker<Int>(on: scene.loop, after: .milliseconds(40)) { _ in
                scene.count()
            }
            tracker.add(1).remove()
            scene.keep(tracker)
        },
    ]

    /// A drain counts each closure that it runs once, in its report and in the metrics.
    @Test(arguments: kinds) func eachClosureThatRunsIsCountedOnce(_ kind: Kind) throws {
        let loop = try threadedLoop()
        let (scene, asked) = (Scene(loop), Gate())
        // The request comes from a closure of the loop, so that nothing runs before it.
        loop.execute {
            kind.arrange(scene)
            loop.shutdown(.drain(within: .seconds(60)))
            asked.open()
        }
        asked.wait()
        let report = loop.shutdown()
        #expect(scene.ran.value == kind.runs + (kind.isTouched ? 1 : 0))
        #expect(report.ran == scene.ran.value && report.cancelled == 0)
        let metrics = loop.metrics
        #expect(metrics.posts + metrics.fired == 1 + scene.ran.value)
        #expect(metrics.pending == 0)
        scene.kept.value = []
    }

    /// The end counts each closure that it releases once, and none that was over before.
    @Test(arguments: kinds) func eachClosureThatIsReleasedIsCountedOnce(_ kind: Kind) throws {
        let loop = try threadedLoop()
        let (scene, asked) = (Scene(loop), Gate())
        loop.execute {
            kind.arrange(scene)
            loop.shutdown()
            asked.open()
        }
        asked.wait()
        let report = loop.shutdown()
        #expect(scene.ran.value == 0 && report.ran == 0)
        #expect(report.cancelled == kind.pending + (kind.isTouched ? 1 : 0))
        scene.kept.value = []
    }
}

extension CountedOnceTests.Kind {
    /// Whether a closure of the arrangement's own touches the entry.
    fileprivate var isTouched: Bool { testDescription == "IdleTracker, touched" }
}
