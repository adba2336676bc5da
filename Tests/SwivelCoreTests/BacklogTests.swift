// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `execute(waitingIfFull:)` and the reports of high water.
@Suite(.offPool) struct BacklogTests {
    private let probe = Probe()

    /// Starts a task that waits for room, and returns once it waits.
    private func waiter(
        on loop: Loop, _ work: @escaping @Sendable () -> Void
    ) -> Task<Bool, Never> {
        let before = loop.tasksWaitingForRoom
        let task = Task { await loop.execute(waitingIfFull: work) }
        #expect(eventually { loop.tasksWaitingForRoom > before })
        return task
    }

    /// Work that finds room does not wait.
    @Test func withRoomItDoesNotWait() async throws {
        for limit in [nil, 2] {
            let loop = try manualLoop(maxPendingPosts: limit)
            let before = probe.ran
            #expect(await loop.execute(waitingIfFull: probe.work()))
            #expect(probe.ran == before)
            loop.runDue()
            #expect(probe.ran == before + 1)
        }
    }

    /// Work waits for room, first come, first served, and no more than the limit waits in the loop.
    @Test func workWaitsForRoomInItsOrder() async throws {
        let loop = try manualLoop(turnBudget: .init(count: 1), maxPendingPosts: 2)
        let ran = Shared<[Int]>()
        for number in 0..<2 { loop.execute { ran.append(number) } }
        var tasks: [Task<Bool, Never>] = []
        for number in 2..<10 {
            tasks.append(waiter(on: loop, probe.work { ran.append(number) }))
        }
        #expect(!loop.tryExecute {})
        // The last task may be about to look for room.
        let hasRun = eventually {
            loop.runDue()
            return ran.value.count == 10
        }
        #expect(hasRun && ran.value == Array(0..<10))
        for task in tasks { #expect(await task.value) }
        #expect(loop.tasksWaitingForRoom == 0 && loop.metrics.refused == 1)
        #expect(probe.live == 0)
    }

    /// A cancelled wait ends at once, and its work is released.
    @Test func aCancelledWaitReleasesItsWork() async throws {
        let loop = try manualLoop(maxPendingPosts: 1)
        loop.execute {}
        let first = waiter(on: loop, probe.work())
        let second = waiter(on: loop, probe.work())
        first.cancel()
        #expect(await first.value == false)
        // The task may be about to release its closure.
        #expect(eventually { probe.live == 1 })
        #expect(loop.tasksWaitingForRoom == 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await loop.execute(waitingIfFull: probe.work())
        }
        #expect(await late.value == false)
        #expect(eventually { probe.live == 1 })
        loop.runDue()
        #expect(await second.value)
        #expect(probe.ran == 1 && probe.live == 0)
    }

    /// The end of the loop ends the waits.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(10))])
    func shutdownEndsTheWaits(mode: ShutdownMode) async throws {
        let loop = try threadedLoop(maxPendingPosts: 1)
        let (begun, mayEnd) = (Gate(), Gate())
        loop.execute {
            begun.open()
            mayEnd.wait()
        }
        begun.wait()
        loop.execute(probe.work())
        let tasks = (0..<3).map { _ in waiter(on: loop, probe.work()) }
        let timer = LoopTimer(on: loop) {}
        let end = Task { await loop.shutdown(mode) }
        #expect(eventually { !timer.arm(after: .hours(1)) })
        mayEnd.open()
        _ = await end.value
        var accepted = 0
        for task in tasks { accepted += await task.value ? 1 : 0 }
        #expect(await loop.execute(waitingIfFull: probe.work()) == false)
        #expect(Probe.allAreReleased())
        // A drain may take them while it lasts.
        #expect(accepted == (mode == .cancelPending ? 0 : probe.ran - 1))
    }

    /// Tasks that wait, threads that do not, and the loop: each accepted closure runs once.
    @Test func acceptedWorkRunsOnceBesideRefusals() async throws {
        let loop = try threadedLoop(maxPendingPosts: 4)
        let count = Machine.scaled(20_000)
        let ran = Counter()
        let isOver = Counter()
        let hammer = TestThread {
            while isOver.value == 0 { _ = loop.tryExecute {} }
        }
        await withTaskGroup(of: Bool.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask {
                    for _ in 0..<count {
                        guard await loop.execute(waitingIfFull: { ran.add() }) else { return false }
                    }
                    return true
                }
            }
            for await isAccepted in tasks { #expect(isAccepted) }
        }
        isOver.add()
        hammer.join()
        #expect(await loop.shutdown(.drain(within: .seconds(60))).isComplete)
        #expect(ran.value == 8 * count)
    }

    /// The posts of a seeded loop wait and count like others.
    @Test func theLimitHoldsForPostsThatASeedOrders() async throws {
        let loop = try Loop.manual(
            Loop.Configuration(name: "test.seeded", maxPendingPosts: 1), seed: 1)
        #expect(await loop.execute(waitingIfFull: probe.work()))
        let task = waiter(on: loop, probe.work())
        loop.runDue()
        #expect(await task.value)
        loop.runDue()
        #expect(probe.ran == 2)
    }

    /// High water is reported once, until no more than half as many wait.
    @Test func highWaterIsReportedOnce() throws {
        let reports = Shared<[Loop.HighWater]>()
        let loop = try Loop.manual(
            Loop.Configuration(
                name: "test.manual", turnBudget: .init(count: 1), maxPendingPosts: 8,
                onHighWater: { reports.append($0) }))
        for round in 1...3 {
            for _ in 0..<5 { loop.execute {} }
            #expect(reports.value.count == 2 * round - 2)
            for _ in 0..<3 { loop.execute {} }
            #expect(eventually { reports.value.count == 2 * round - 1 })
            loop.runDue()
            #expect(eventually { reports.value.count == 2 * round })
        }
        #expect(reports.value.map(\.isAbove) == [true, false, true, false, true, false])
        #expect(
            reports.value.map(\.pendingPosts).enumerated().allSatisfy { index, pending in
                // Three are half of the mark, and one post runs in each turn.
                index % 2 == 0 ? pending >= 6 : pending == 3
            })
    }

    /// A mark without a limit refuses nothing; next to a limit it is kept as well.
    @Test(arguments: [nil, 1_000]) func aMarkNeedsNoLimit(limit: Int?) throws {
        let reports = Shared<[Loop.HighWater]>()
        let loop = try Loop.manual(
            Loop.Configuration(
                name: "test.manual", maxPendingPosts: limit, highWaterMark: 2,
                onHighWater: { reports.append($0) }))
        for _ in 0..<100 { #expect(loop.tryExecute(probe.work())) }
        loop.runDue()
        #expect(probe.ran == 100)
        #expect(eventually { reports.value.map(\.isAbove) == [true, false] })
    }

    @Test func senselessMarksAreRefused() {
        let report: @Sendable (Loop.HighWater) -> Void = { _ in }
        for configuration in [
            Loop.Configuration(highWaterMark: 0), Loop.Configuration(onHighWater: report),
            Loop.Configuration(maxPendingPosts: 4, highWaterMark: 5, onHighWater: report),
        ] {
            let error = #expect(throws: SwivelError.self) { try Loop(configuration) }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.message.contains("ighWater") == true)
        }
    }
}
