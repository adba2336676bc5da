// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// When a one-shot fires, and in which order: T1, T2, T5.
@Suite(.offPool) struct DeadlineTests {
    private let probe = Probe()

    /// Around the edges of the wheel's slots and levels.
    private static let edges: [UInt64] = [0, 1, 2, 3, 4, 5, 6].flatMap { level -> [UInt64] in
        let width = UInt64(1) << (20 + 6 * level)
        return [width - 1, width, width + 1]
    }

    /// T1.
    @Test(arguments: [1, 2, 999, 1_000_000] + edges)
    func aTimerFiresAtItsDeadlineAndNotBefore(delay: UInt64) throws {
        let loop = try manualLoop()
        let firedAt = Shared<LoopClock.Instant?>(nil)
        loop.schedule(after: .nanoseconds(Int64(delay)), probe.work { firedAt.value = loop.now })
        loop.advance(to: LoopClock.Instant(nanoseconds: epoch.nanoseconds + delay - 1))
        #expect(probe.ran == 0)
        loop.advance(by: .nanoseconds(1))
        #expect(firedAt.value?.nanoseconds == epoch.nanoseconds + delay)
        #expect(probe.released == 1)
    }

    /// T1: no leeway makes a timer early, and none makes it later than it allows.
    @Test func leewayDelaysAndNeverAdvances() throws {
        var random = Seeded()
        let loop = try manualLoop()
        for _ in 0..<2_000 {
            let delay = UInt64.random(in: 1...50_000_000, using: &random)
            let leeway = UInt64.random(in: 0...20_000_000, using: &random)
            let deadline = loop.now.advanced(by: .nanoseconds(Int64(delay)))
            let latest = deadline.advanced(by: .nanoseconds(Int64(leeway)))
            loop.schedule(
                at: deadline, leeway: .nanoseconds(Int64(leeway)),
                probe.work { #expect(loop.now >= deadline && loop.now <= latest) })
            loop.advance(by: .nanoseconds(Int64.random(in: 0...100_000, using: &random)))
        }
        loop.advance(by: .seconds(1))
        #expect(probe.ran == 2_000)
    }

    /// T2: through every level, and wherever it was started from.
    @Test func timersFireByDeadlineThenByStartOrder() throws {
        var random = Seeded()
        let loop = try manualLoop()
        let fired = Shared<[Int]>()
        var model: [(deadline: LoopClock.Instant, start: Int)] = []
        for start in 0..<3_000 {
            let far = Int64(1) << Int64.random(in: 0...40, using: &random)
            // Few distinct values, so that many deadlines are equal.
            let deadline = loop.now.advanced(
                by: .nanoseconds(far + Int64.random(in: 0...2, using: &random)))
            model.append((deadline, start))
            let work = probe.work { fired.append(start) }
            if start % 3 == 0 {
                loop.inside { _ = loop.schedule(at: deadline, work) }
            } else {
                loop.schedule(at: deadline, work)
            }
            if start % 64 == 0 {
                loop.advance(by: .nanoseconds(Int64.random(in: 0...1_000_000, using: &random)))
            }
        }
        loop.advance(by: .seconds(10_000))
        let expected = model.sorted { ($0.deadline, $0.start) < ($1.deadline, $1.start) }
        #expect(fired.value.count == expected.count)
        // A timer that was due when it was started is a post: compare the others.
        let late = Set(model.filter { $0.deadline <= epoch }.map(\.start))
        #expect(late.isEmpty)
        #expect(fired.value == expected.map(\.start))
    }

    /// T5: a delay that is not above zero is a post with a handle.
    @Test(arguments: [
        Duration.zero, .nanoseconds(-1), .seconds(-3600), .seconds(Int64.min),
        Duration(attoseconds: .min), Duration(attoseconds: -1),
    ])
    func aDelayNotAboveZeroRunsInTheNextTurn(delay: Duration) throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        loop.execute(probe.work { order.append(0) })
        let handle = loop.schedule(after: delay, probe.work { order.append(1) })
        loop.execute(probe.work { order.append(2) })
        #expect(handle.isPending)
        #expect(order.value.isEmpty)
        loop.runDue()
        #expect(order.value == [0, 1, 2])
        #expect(!handle.isPending)
        #expect(handle.cancel() == .finished)
    }

    /// T5, in the loop's own closures and outside: after the call, in order with posts made there.
    @Test(arguments: DueAtOnce.allCases, [true, false])
    func whatIsDueAtOnceKeepsTheOrderOfPosts(_ form: DueAtOnce, inside: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let calls: @Sendable () -> Void = { [probe] in
            loop.execute(probe.work { order.append(0) })
            form.start(on: loop, probe) { order.append(1) }
            loop.execute(probe.work { order.append(2) })
            #expect(order.value.isEmpty)
            order.append(-1)
        }
        if inside {
            loop.execute(probe.work(calls))
        } else {
            calls()
        }
        loop.runDue()
        #expect(order.value == [-1, 0, 1, 2])
        loop.shutdown()
    }
}

/// The ways to have something run at once, with a handle.
enum DueAtOnce: CaseIterable {
    case instant, delay, once, ticks, runs

    func start(on loop: Loop, _ probe: Probe, _ body: @escaping @Sendable () -> Void) {
        switch self {
        case .instant: loop.schedule(at: epoch, probe.work(body))
        case .delay: loop.schedule(after: .zero, probe.work(body))
        case .once: loop.once("due", probe.work(body))
        case .ticks:
            loop.schedule(every: .seconds(1), startingAfter: .zero, probe.tick { _ in body() })
        case .runs:
            loop.schedule(
                everyAfterCompletion: .seconds(1), startingAfter: .zero,
                probe.tick { _ in body() })
        }
    }
}
