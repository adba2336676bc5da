// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct ConcurrencyLimitTests {
    private struct Fault: Error {}

    /// A body that runs until the test ends it.
    private final class Held: Sendable {
        let (began, ends) = (Gate(), AsyncStream.makeStream(of: Void.self))
        let task: Task<Void, any Error>

        init(_ limit: ConcurrencyLimit, _ log: Shared<[Int]>, _ number: Int) {
            let (began, stream) = (began, ends.stream)
            task = Task {
                try await limit.run {
                    log.append(number)
                    began.open()
                    for await _ in stream {}
                    try Task.checkCancellation()
                }
            }
        }

        func end() { ends.continuation.finish() }
    }

    /// Bodies that hold all places, and tasks that wait, in this order.
    private func line(
        _ limit: ConcurrencyLimit, running: Int, waiting: Int, _ log: Shared<[Int]>
    ) async -> [Held] {
        var tasks: [Held] = []
        for number in 0..<running + waiting {
            tasks.append(Held(limit, log, number))
            if number < running {
                tasks[number].began.wait()
            } else {
                while limit.waiting < number - running + 1 { await Task.yield() }
            }
        }
        #expect(limit.running == running && limit.waiting == waiting)
        return tasks
    }

    @Test func tasksRunInOrder() async throws {
        let (limit, log) = (ConcurrencyLimit(2), Shared<[Int]>())
        let tasks = await line(limit, running: 2, waiting: 4, log)
        for (number, task) in tasks.enumerated() {
            task.end()
            try await task.task.value
            if number < 4 { tasks[number + 2].began.wait() }
            #expect(log.value == Array(0..<min(number + 3, 6)))
            #expect(limit.running == min(5 - number, 2) && limit.waiting == max(3 - number, 0))
        }
    }

    /// A task that is cancelled while it waits leaves at once, and the next one moves up.
    @Test func aCancelledTaskLeavesTheLine() async throws {
        let (limit, log) = (ConcurrencyLimit(1), Shared<[Int]>())
        let tasks = await line(limit, running: 1, waiting: 3, log)
        tasks[1].task.cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].task.value }
        #expect(limit.running == 1 && limit.waiting == 2)
        // One that holds a place keeps it until its body has returned.
        tasks[0].task.cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].task.value }
        tasks[2].began.wait()
        for number in 2...3 { tasks[number].end() }
        for number in 2...3 { try await tasks[number].task.value }
        #expect(log.value == [0, 2, 3] && limit.running == 0 && limit.waiting == 0)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            try await limit.run { log.append(4) }
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(log.value.count == 3)
    }

    @Test func aBodyThatThrowsFreesItsPlace() async throws {
        let limit = ConcurrencyLimit(1)
        for _ in 1...3 {
            await #expect(throws: Fault.self) { try await limit.run { throw Fault() } }
            #expect(limit.running == 0)
        }
        #expect(try await limit.run { limit.running } == 1)
    }

    /// The body needs no `Sendable` value, and runs on the caller's actor, before and after a wait.
    @Test func theBodyKeepsTheCallersIsolation() async throws {
        actor Account {
            var balance = 0
            let limit = ConcurrencyLimit(1)

            final class Coin { let value = 3 }

            func pay() async throws -> Coin {
                try await limit.run {
                    balance += 1
                    await Task.yield()
                    assertIsolated()
                    balance += 1
                    return Coin()
                }
            }
            func payTwice() async throws -> Int { try await pay().value + pay().value }
        }
        let account = Account()
        async let first = account.payTwice()
        async let second = account.payTwice()
        #expect(try await first + second == 12)
        #expect(await account.balance == 8)
    }

    /// Many tasks, some of them cancelled: each ends once, and there are never more than places.
    @Test func tasksRaceTheirCancellation() async throws {
        var seeded = Seeded()
        for places in 1...3 {
            let (limit, running, most) = (ConcurrencyLimit(places), Counter(), Shared(0))
            let choices = (0..<Machine.scaled(3000)).map { _ in seeded.below(3) }
            let ran = await withTaskGroup(of: Bool.self) { group in
                for choice in choices {
                    group.addTask {
                        let task = Task {
                            try await limit.run {
                                let now = running.add()
                                most.update { $0 = max($0, now) }
                                #expect(limit.running <= places)
                                if choice == 1 { await Task.yield() }
                                running.add(-1)
                                if choice == 2 { throw Fault() }
                            }
                        }
                        if choice == 0 { task.cancel() }
                        switch await task.result {
                        case .success: return true
                        case .failure(let error):
                            #expect(error is Fault ? choice == 2 : choice == 0)
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(most.value <= places && limit.running == 0 && limit.waiting == 0)
            #expect(ran >= choices.count { $0 == 1 })
        }
    }

    @Test func aLimitWithoutPlacesTraps() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            exitTest { _ = ConcurrencyLimit(0) }
        }
        #expect(printed("a concurrency limit needs at least one place, not 0", result))
    }

    #if DEBUG
    /// Apart from the exit test, in which all calls have the line of its macro.
    private static func runNested() async throws {
        let (limit, other) = (ConcurrencyLimit(1), ConcurrencyLimit(2))
        try await other.run { try await other.run { try await limit.run {} } }
        let (mayRun, start) = AsyncStream.makeStream(of: Void.self)
        let later = try await limit.run {
            Task {
                for await _ in mayRun {}
                try await limit.run {}
            }
        }
        try await limit.run {
            start.finish()
            while limit.waiting == 0 { await Task.yield() }
        }
        try await later.value
        for inChild in [false, true, false] {
            let task = Task {
                try await limit.run {
                    guard inChild else { return try await limit.run {} }
                    async let child: Void = limit.run {}
                    try await child
                }
            }
            while limit.waiting == 0 { await Task.yield() }
            task.cancel()
            if case .success = await task.result { require(false, "it has not waited") }
        }
    }

    /// A task that waits for a place while it holds one, itself or through the task that started
    /// it, is reported once for each call. A place that was left does not count.
    @Test func aNestedRunThatFindsNoPlaceIsReported() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            try await suspendingExitTest { try await Self.runNested() }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let reports = text.split(separator: "\n").filter { $0.contains("of a ConcurrencyLimit") }
        #expect(reports.count == 2, "\(text)")
        #expect(reports.allSatisfy { $0.contains("ConcurrencyLimitTests.swift") }, "\(text)")
    }
    #endif
}
