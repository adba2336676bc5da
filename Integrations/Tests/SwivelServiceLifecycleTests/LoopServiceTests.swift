// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import SwivelCore
import SwivelServiceLifecycle
import Synchronization
import Testing

@Suite struct LoopServiceTests {
    @Test func aGracefulShutdownRunsAcceptedPostsAndDueTimers() async throws {
        let loop = try Loop(.init(name: "io"))
        let (reports, ran) = (Kept<ShutdownReport>(), Kept<String>())
        let gate = Gate()
        let group = ServiceGroup(
            services: [
                LoopService(loop, shutdown: .drain(within: .seconds(60))) { reports.add($0) }
            ],
            logger: quiet())
        async let end: Void = group.run()
        await pendingTimers(of: loop, reach: 1)
        // The loop is busy until the shutdown has begun: all of this is still pending then.
        loop.execute { gate.waitUntilOpen() }
        loop.schedule(after: .milliseconds(1)) { ran.add("timer") }
        loop.schedule(after: .seconds(3600)) { ran.add("late timer") }
        loop.execute { ran.add("post") }
        await group.triggerGracefulShutdown()
        await refusal(of: loop)
        gate.open()
        try await end

        #expect(ran.all.sorted() == ["post", "timer"])
        let report = try #require(reports.all.first)
        #expect(reports.all.count == 1)
        #expect(report.isComplete)
        // The hour's timer; the service's own wait is not in the report.
        #expect(report.cancelledTimers == 1)
        #expect(report.cancelledPosts == 0)
        #expect(!loop.tryExecute {})
    }

    @Test func cancelPendingReleasesWhatHasNotStarted() async throws {
        let loop = try Loop(.init(name: "io"))
        let (reports, ran) = (Kept<ShutdownReport>(), Kept<String>())
        loop.schedule(after: .seconds(1)) { ran.add("timer") }
        await testGracefulShutdown { trigger in
            let service = LoopService(loop, shutdown: .cancelPending) { reports.add($0) }
            async let end: Void = service.run()
            await pendingTimers(of: loop, reach: 2)
            trigger.triggerGracefulShutdown()
            await end
        }
        #expect(ran.all == [])
        #expect(reports.all.map(\.cancelledTimers) == [1])
    }

    @Test func theServiceRunsUntilItIsToldToEnd() async throws {
        let loop = try Loop(.init(name: "io"))
        let reports = Kept<ShutdownReport>()
        await testGracefulShutdown { trigger in
            async let end: Void = LoopService(loop) { reports.add($0) }.run()
            await pendingTimers(of: loop, reach: 1)
            // The loop works, and nothing has been reported.
            await withCheckedContinuation { done in loop.execute { done.resume() } }
            #expect(reports.all.isEmpty)
            trigger.triggerGracefulShutdown()
            await end
        }
        #expect(reports.all.count == 1)
    }

    @Test func cancellingTheTaskShutsTheLoopDown() async throws {
        let loop = try Loop(.init(name: "io"))
        let (reports, ran) = (Kept<ShutdownReport>(), Kept<String>())
        let task = Task { await LoopService(loop) { reports.add($0) }.run() }
        await pendingTimers(of: loop, reach: 1)
        loop.execute { ran.add("post") }
        task.cancel()
        await task.value
        #expect(ran.all == ["post"])
        #expect(reports.all.map(\.isComplete) == [true])
        #expect(!loop.tryExecute {})
    }

    @Test func aShutdownByAnyoneElseEndsTheService() async throws {
        let loop = try Loop(.init(name: "io"))
        let reports = Kept<ShutdownReport>()
        let service = LoopService(loop) { reports.add($0) }
        let group = ServiceGroup(services: [service], logger: quiet())
        let running = Task { try await group.run() }
        await pendingTimers(of: loop, reach: 1)
        let report = await loop.shutdown()
        // The group's default for a service that has ended by itself.
        await #expect(throws: ServiceGroupError.serviceFinishedUnexpectedly()) {
            try await running.value
        }
        // The service's own wait ended with the loop, or came too late for it.
        let own = try #require(reports.all.first)
        #expect(report.cancelledTimers + own.refused == 1)
        #expect(own.ran == report.ran)
        #expect(reports.all.count == 1)
        #expect("\(service)" == "LoopService(io)")
    }

    @Test func aLoopThatHasEndedBeforeEndsTheServiceAtOnce() async throws {
        let loop = try Loop(.init(name: "io"))
        let reports = Kept<ShutdownReport>()
        let report = await loop.shutdown()
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: LoopService(loop) { reports.add($0) },
                        successTerminationBehavior: .gracefullyShutdownGroup)
                ], logger: quiet()))
        try await group.run()
        #expect(reports.all.map(\.ran) == [report.ran])
    }
}
