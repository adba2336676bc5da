// SPDX-License-Identifier: Apache-2.0
import SwivelSimulation
import Testing

/// Check-then-act races are found whatever kind of task they are in: in a fifth of the seeds at
/// least.
@Suite struct RaceTests {
    enum Kind: CaseIterable { case children, tasks, detached, secondActor, mainActor, group }

    @Test(arguments: Kind.allCases) func aRaceIsFound(in kind: Kind) async throws {
        var found = 0
        for seed in UInt64(0)..<200 {
            let balance = Box(0)
            let run = try await simulate(seed: seed) { balance.value = await Self.race(kind) }
            #expect(run.escapes == [])
            if balance.value < 0 { found += 1 }
        }
        #expect(found >= 40, "\(kind): \(found) of 200")
    }

    @Test(.simulated(seeds: 500), arguments: Kind.allCases)
    func theCorrectProgramIsNot(in kind: Kind) async {
        let account = Account()
        await Self.twice(kind) { await account.pay(80) }
        #expect(await account.balance == 20)
    }

    private static func race(_ kind: Kind) async -> Int {
        switch kind {
        case .secondActor:
            let account = Audited()
            await twice(.tasks) { await account.pay(80) }
            return await account.balance
        case .mainActor:
            let till = Till()
            await twice(.tasks) {
                if isEnough(await till.balance, for: 80) { await till.take(80) }
            }
            return await till.balance
        default:
            let account = Account()
            await twice(kind) { await payCarelessly(80, from: account) }
            return await account.balance
        }
    }

    private static func twice(_ kind: Kind, _ body: @escaping @Sendable () async -> Void) async {
        switch kind {
        case .children:
            async let one: Void = body()
            async let other: Void = body()
            _ = await (one, other)
        case .group:
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await body() } }
            }
        case .detached:
            for task in [Task.detached { await body() }, Task.detached { await body() }] {
                await task.value
            }
        case .tasks, .secondActor, .mainActor:
            for task in [Task { await body() }, Task { await body() }] { await task.value }
        }
    }
}

/// A value that a run leaves to its test.
final class Box<Value>: @unchecked Sendable {
    // because the run ends before the test reads it.
    var value: Value

    init(_ value: Value) { self.value = value }
}
