// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Random calls from several threads and from closures, one after the other, against a list that
/// knows the order: posts and what is due now in one line, timers by deadline and call.
@Suite(.offPool) struct CallOrderModelTests {
    @Test func randomCallsFireInTheOrderOfTheModel() throws {
        var random = Seeded()
        for _ in 0..<Machine.scaled(400) {
            var fixture = try OrderFixture(random.split())
            for step in 0..<60 {
                if let mistake = fixture.step() {
                    Issue.record("step \(step): \(mistake)")
                    return
                }
            }
            fixture.end()
        }
    }
}

private struct OrderFixture {
    private let loop: Loop
    private let fired = Shared<[Int]>()
    private let timers: [LoopTimer]
    private var handles: [TimerHandle]
    private var random: Seeded
    private let threads = (0..<3).map { _ in Helper() }
    /// By timer: its deadline and the number of its last call.
    private var armed: [Int: (deadline: Int, call: Int)] = [:]
    /// The next turn's work, in order.
    private var line: [Int] = []
    private var calls = 0
    private var now = 0

    init(_ random: Seeded) throws {
        self.random = random
        let loop = try manualLoop()
        let fired = fired
        self.loop = loop
        timers = (0..<4).map { number in LoopTimer(on: loop) { fired.append(number) } }
        handles = (4..<8).map { number in
            loop.schedule(after: .hours(1_000)) { fired.append(number) }
        }
        for number in 4..<8 { armed[number] = (3_600_000_000, number - 8) }
        loop.runDue()
    }

    mutating func step() -> String? {
        let inside = random.below(3) == 0
        if inside, let mistake = advance(by: 0) { return mistake }
        var deeds: [@Sendable () -> Void] = []
        for _ in 0..<(1 + random.below(8)) { deeds.append(call()) }
        let all = deeds
        let work: @Sendable () -> Void = { all.forEach { $0() } }
        if inside {
            loop.inside(work)
        } else {
            threads[random.below(threads.count)].run(work)
            if random.below(3) == 0 { return nil }
        }
        return advance(by: random.below(4))
    }

    private mutating func call() -> @Sendable () -> Void {
        calls += 1
        let number = random.below(8)
        let (loop, fired) = (loop, fired)
        if random.below(4) == 0 {
            let post = 100 + calls
            line.append(post)
            return { loop.execute { fired.append(post) } }
        }
        let delay = random.below(5) - 1
        guard number < 4 || armed[number] != nil || line.contains(number) else { return {} }
        armed[number] = nil
        line.removeAll { $0 == number }
        if delay <= 0 { line.append(number) } else { armed[number] = (now + delay, calls) }
        if number < 4 {
            let timer = timers[number]
            let at = loop.now.advanced(by: .milliseconds(delay))
            let leeway = delay <= 0 ? Duration.seconds(random.below(2)) : .zero
            guard delay <= 0, random.below(2) == 0 else {
                return { timer.arm(after: .milliseconds(delay), leeway: leeway) }
            }
            return { timer.arm(at: at, leeway: leeway) }
        }
        let handle = handles[number - 4]
        return { handle.rearm(after: .milliseconds(delay)) }
    }

    private mutating func advance(by milliseconds: Int) -> String? {
        loop.advance(by: .milliseconds(milliseconds))
        now += milliseconds
        let due = armed.filter { $0.value.deadline <= now }.sorted {
            ($0.value.deadline, $0.value.call) < ($1.value.deadline, $1.value.call)
        }.map(\.key)
        for number in due { armed[number] = nil }
        let expected = line + due
        line = []
        let found = fired.value
        fired.value = []
        return found == expected ? nil : "\(found) fired, not \(expected)"
    }

    mutating func end() {
        handles.forEach { $0.cancel() }
        threads.forEach { $0.end() }
        loop.shutdown()
    }
}

/// A thread that carries out commands while the test waits.
private final class Helper: Sendable {
    private let work = Shared<(@Sendable () -> Void)?>(nil)
    private let asked = Gate()
    private let done = Gate()
    private let thread = Shared<TestThread?>(nil)

    init() {
        let (work, asked, done) = (work, asked, done)
        thread.value = TestThread {
            for round in 1... {
                asked.wait(times: round, seconds: 600)
                guard let body = work.value else { return }
                body()
                done.open()
            }
        }
    }

    func run(_ body: @escaping @Sendable () -> Void) {
        work.value = body
        let round = done.opened + 1
        asked.open()
        done.wait(times: round)
    }

    func end() {
        work.value = nil
        asked.open()
        thread.value?.join()
    }
}
