// SPDX-License-Identifier: Apache-2.0
import ServiceLifecycle
import ServiceLifecycleTestKit
import SwivelCore
import SwivelServiceLifecycle
import Testing

@Suite struct LoopGroupServiceTests {
    @Test func aGracefulShutdownDrainsEveryLoop() async throws {
        let loops = try LoopGroup(count: 2, configuration: .init(name: "io"))
        let (reports, ran) = (Kept<[ShutdownReport]>(), Kept<Int>())
        let gate = Gate()
        let service = LoopGroupService(loops, shutdown: .drain(within: .seconds(60))) {
            reports.add($0)
        }
        #expect("\(service)" == "LoopGroupService(io-0, io-1)")
        let group = ServiceGroup(services: [service], logger: quiet())
        async let end: Void = group.run()
        for (number, loop) in loops.loops.enumerated() {
            await pendingTimers(of: loop, reach: 1)
            loop.execute { gate.waitUntilOpen() }
            loop.execute { ran.add(number) }
        }
        await group.triggerGracefulShutdown()
        for loop in loops.loops { await refusal(of: loop) }
        gate.open()
        try await end
        #expect(ran.all.sorted() == [0, 1])
        let report = try #require(reports.all.first)
        #expect(report.count == 2)
        #expect(report.total.isComplete)
        #expect(report.total.cancelled == 0)
    }

    @Test func theEndOfOneLoopEndsTheOthers() async throws {
        let loops = try LoopGroup(count: 2, configuration: .init(name: "io"))
        let reports = Kept<[ShutdownReport]>()
        let task = Task { await LoopGroupService(loops) { reports.add($0) }.run() }
        for loop in loops.loops { await pendingTimers(of: loop, reach: 1) }
        await loops.loops[1].shutdown()
        await task.value
        #expect(!loops.loops[0].tryExecute {})
        #expect(reports.all.map(\.count) == [2])
    }
}
