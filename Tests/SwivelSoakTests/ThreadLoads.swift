// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport

/// Posts from several threads. Each producer's run in their order, none is lost.
final class PostLoad: SoakLoad {
    private final class Producer: @unchecked Sendable {
        // because `sent` is the producer's alone, and `ran` the loop's.
        var sent = 0
        var ran = 0
    }

    let name = "posts"
    private let course = Course()
    private let loop: Loop
    private let producers: [Producer]
    private let ran = Counter()
    private let probe = Probe()

    init(on loop: Loop, producers: Int) {
        self.loop = loop
        self.producers = (0..<producers).map { _ in Producer() }
    }

    var done: Int { ran.value }
    var faults: [String] { course.faults }

    func begin() {
        for producer in producers {
            course.repeating { [self] in
                for _ in 0..<120 { post(producer) }
            }
        }
    }

    private func post(_ producer: Producer) {
        let (number, token) = (producer.sent, probe.token())
        producer.sent += 1
        loop.execute { [self] in
            course.expect(producer.ran == number, "post \(number) ran after \(producer.ran)")
            producer.ran = number + 1
            ran.add()
            withExtendedLifetime(token) {}
        }
    }

    func end() {
        course.end()
        loop.onThread {}
        for producer in producers {
            course.expect(
                producer.ran == producer.sent, "\(producer.ran) of \(producer.sent) posts ran")
        }
    }
}

/// Promises that a thread makes and the pool completes, mapped on the loop.
final class FutureLoad: SoakLoad {
    let name = "futures"
    private let course = Course()
    private let loop: Loop
    private let (made, heard) = (Counter(), Counter())
    private let probe = Probe()

    init(on loop: Loop) { self.loop = loop }

    var done: Int { heard.value }
    var faults: [String] { course.faults }

    func begin() {
        course.repeating { [self] in
            for _ in 0..<5 { complete(made.add()) }
        }
    }

    private func complete(_ number: Int) {
        let (promise, token) = (Promise<Int, Never>(), probe.token())
        promise.future
            .map(on: loop) { $0 * 2 }
            .map(on: WorkerPool.background) { $0 + 1 }
            .onSuccess(on: loop) { [self] value in
                course.expect(value == 2 * number + 1, "\(number) became \(value)")
                heard.add()
                withExtendedLifetime(token) {}
            }
        WorkerPool.background.execute { promise.succeed(number) }
    }

    func end() {
        course.end()
        let isDone = eventually { [self] in heard.value == made.value }
        course.expect(isDone, "\(heard.value) of \(made.value) futures were heard")
    }
}

/// Operations by identifier, pushed back by a thread and by the loop. The last call of each wins.
final class OnceLoad: SoakLoad {
    private struct ID: Hashable { let number: Int }
    private struct Call { var pushed = 0, ran = 0 }

    let name = "once"
    private let course = Course()
    private let loop: Loop
    private let random: Shared<Seeded>
    private let calls = Shared([Call](repeating: Call(), count: 1000))
    private let ran = Counter()

    init(on loop: Loop, _ random: Seeded) {
        self.loop = loop
        self.random = Shared(random)
    }

    var done: Int { ran.value }
    var faults: [String] { course.faults }

    func begin() {
        course.repeating { [self] in
            for _ in 0..<10 { push() }
            loop.execute { [self] in
                for _ in 0..<10 { push() }
            }
        }
    }

    private func push() {
        let (number, delay) = random.update { ($0.below(1000), $0.below(10)) }
        // Under the lock, so that the calls of one identifier have an order.
        calls.update { calls in
            calls[number].pushed += 1
            let call = calls[number].pushed
            loop.once(ID(number: number), after: .milliseconds(delay)) { [self] in
                run(number, call)
            }
        }
    }

    private func run(_ number: Int, _ call: Int) {
        ran.add()
        calls.update { calls in
            course.expect(calls[number].ran < call, "call \(call) ran after \(calls[number].ran)")
            calls[number].ran = call
        }
    }

    func end() {
        course.end()
        let isDone = eventually { [self] in calls.value.allSatisfy { $0.ran == $0.pushed } }
        course.expect(isDone, "the last call of an identifier did not run")
    }
}
