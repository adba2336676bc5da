// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct WatchTests {
    private let probe = Probe()

    /// A ready descriptor is reported again and again until it is read, and then not any more.
    @Test func aDescriptorIsToldWhileItIsReady() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        loop.watch(pipe.read, for: .readable, probe.work { ear.hear($0) })
        pipe.put("a")
        ear.gate.wait(times: 3)
        #expect(ear.last.value?.ready == .readable)
        loop.onThread { pipe.take() }
        let heard = loop.onThread { ear.gate.opened }
        for _ in 0..<20 { loop.onThread {} }
        #expect(ear.gate.opened == heard)
        pipe.put("b")
        ear.gate.wait(times: heard + 1)
    }

    @Test func equalEventsAreOneMemberOfASet() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        let events = Shared<Set<WatchEvent>>([])
        loop.watch(pipe.read, for: .readable) { event in
            events.update { $0.insert(event) }
            ear.hear(event)
        }
        pipe.put("a")
        ear.gate.wait(times: 3)
        #expect(events.value.count == 1)
    }

    @Test func aHangUpIsHeardByWhoAsksForIt() throws {
        let (loop, pair, ear) = (try Loop(), try SocketPair(), Ear())
        defer { loop.shutdown() }
        loop.watch(pair.one, for: [.readable, .hangUp]) { ear.hear($0) }
        pair.closeOther()
        ear.gate.wait()
        #expect(ear.last.value?.hasHungUp == true)
        #expect(ear.last.value?.isReadable == true)
        #expect(ear.last.value?.error == nil)
    }

    /// The writing end of a pipe that has no reader any more.
    @Test func anErrorOfTheDescriptorIsHeardUnasked() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        pipe.closeReading()
        let watch = loop.watch(pipe.write, for: .writable) { ear.hear($0) }
        ear.gate.wait(times: 2)
        #expect(ear.last.value?.hasFailed == true)
        #expect(ear.last.value?.isWritable == true)
        #expect(watch.isActive)
    }

    /// The data that the closure has yet to read does not end the wait's sleeps.
    @Test func aWaitInTheClosureSleeps() throws {
        let (loop, pipe, gate) = (try Loop(), try TestPipe(), Gate())
        defer { loop.shutdown() }
        let parks = Counter()
        loop.watch(pipe.read) { event in
            let (before, latch) = (loop.metrics.parks, Latch())
            loop.schedule(after: .milliseconds(200)) { latch.signal() }
            _ = latch.wait()
            parks.add(loop.metrics.parks - before)
            event.cancel()
            gate.open()
        }
        pipe.put("a")
        gate.wait()
        #expect(parks.value < 50)
    }

    /// Nor does data that is not wanted now.
    @Test func aLoopWhoseWatchRestsSleeps() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        let watch = loop.watch(pipe.read) { ear.hear($0) }
        pipe.put("a")
        ear.gate.wait()
        watch.rearm(for: [])
        loop.onThread {}
        let turns = loop.metrics.turns
        loop.onThread { loop.schedule(after: .milliseconds(200)) { ear.gate.open() } }
        let heard = ear.gate.opened
        ear.gate.wait(times: heard + 1)
        #expect(loop.metrics.turns - turns < 50)
        watch.rearm(for: .readable)
        ear.gate.wait(times: heard + 2)
    }

    @Test func eventsAreASequence() async throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        let heard = Task {
            var count = 0
            for await event in loop.events(of: pipe.read, for: .readable) {
                #expect(event.isReadable)
                pipe.take()
                count += 1
                if count == 5 { break }
                pipe.put("b")
            }
            return count
        }
        pipe.put("a")
        #expect(await heard.value == 5)
        #expect(await loop.shutdown().cancelledWatches == 0)
    }

    @Test func aSequenceOfEventsEnds() async throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        let count: @Sendable (WatchEvents) async -> Int = {
            await $0.reduce(0) { count, _ in count + 1 }
        }
        let cancelled = Task { await count(loop.events(of: pipe.read)) }
        cancelled.cancel()
        #expect(await cancelled.value == 0)
        let closed = try TestPipe()
        let error = Task {
            await loop.events(of: closed.read).reduce(into: []) { $0.append($1.error?.code) }
        }
        await loop.visit {}
        closed.closeReading()
        let ends = loop.schedule(every: .milliseconds(20)) { _ in }  // A loop that runs turns.
        #expect(await error.value == [.descriptorClosed])
        ends.cancel()
        let ended = Task { await count(loop.events(of: pipe.read)) }
        await loop.visit {}
        await loop.shutdown()
        #expect(await ended.value == 0)
    }

    @Test func aManualLoopWatchesNothing() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest { try manualLoop().watch(0) { _ in } }
        }
        #expect(printed("a manual loop watches nothing", result))
    }
}
