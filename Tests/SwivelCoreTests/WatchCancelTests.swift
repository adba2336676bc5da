// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// W3: cancels and re-arms from the event itself and from other threads; labels.
@Suite(.offPool) struct WatchCancelTests {
    private let probe = Probe()

    @Test func anEventCancelsItsOwnWatch() throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        defer { loop.shutdown() }
        let (results, gate) = (Shared<[CancelResult]>([]), Gate())
        pipe.put("a")
        let watch = loop.watch(
            pipe.read,
            probe.work { event in
                results.append(event.cancel())
                results.append(event.cancel())
                gate.open()
            })
        gate.wait()
        probe.waitForReleases()
        for _ in 0..<20 { loop.onThread {} }
        #expect(results.value == [.running, .finished])
        #expect(probe.ran == 1, "it is still readable")
        #expect(!watch.isActive)
        #expect(watch.cancel() == .finished)
    }

    /// C1: the closure is released when it returns, before the loop runs anything else.
    @Test func theClosureIsReleasedAsSoonAsItReturns() throws {
        let (loop, first, second) = (try Loop(), try TestPipe(), try TestPipe())
        defer { loop.shutdown() }
        let (released, gate) = (Counter(-1), Gate())
        loop.onThread { [probe] in
            loop.watch(
                first.read,
                probe.work { event in
                    loop.execute {
                        released.add(probe.released + 1)
                        gate.open()
                    }
                    _ = event.cancel()
                })
        }
        first.put("a")
        second.put("a")
        gate.wait()
        #expect(released.value == 1)
    }

    @Test func anEventRearmsItsOwnWatch() throws {
        let (loop, pair, ear) = (try Loop(), try SocketPair(), Ear())
        defer { loop.shutdown() }
        loop.watch(pair.one, for: .writable) { event in
            event.rearm(for: event.ready == .writable ? .readable : [])
            ear.hear(event)
        }
        ear.gate.wait()
        for _ in 0..<20 { loop.onThread {} }
        #expect(ear.gate.opened == 1)
        pair.put("a")
        ear.gate.wait(times: 2)
        #expect(ear.last.value?.ready == .readable)
        for _ in 0..<20 { loop.onThread {} }
        #expect(ear.gate.opened == 2, "it rests, though it is readable")
    }

    /// C2: the closure is under way, or about to begin, or at rest: one of the two wins.
    @Test func aCancelElsewhereOrTheEventWins() throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        for _ in 0..<Machine.scaled(2_000) {
            let (pipe, probe) = (try TestPipe(), Probe())
            let (isOver, late) = (Counter(), Counter())
            let watch = loop.watch(
                pipe.read, probe.work { _ in late.add(isOver.value) })
            pipe.put("a")
            let result = watch.cancel()
            if result == .cancelled {
                isOver.add()
                #expect(probe.released == 1)
            }
            #expect(result != .finished)
            probe.waitForReleases()
            #expect(late.value == 0)
        }
    }

    @Test func cancelAndWaitWaitsForTheClosuresEnd() async throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        let (started, goOn) = (Gate(), Gate())
        let watch = loop.watch(
            pipe.read,
            probe.work { _ in
                started.open()
                goOn.wait()
            })
        pipe.put("a")
        await offTheTask { started.wait() }
        async let answer = watch.cancelAndWait()
        while watch.isActive { await Task.yield() }
        #expect(probe.ended == 0)
        goOn.open()
        #expect(await answer == .running)
        #expect(probe.ended == 1 && probe.released == 1)
        #expect(await watch.cancelAndWait() == .finished)
        await loop.shutdown()
    }

    private func offTheTask(_ body: @escaping @Sendable () -> Void) async {
        let thread = Shared<TestThread?>(nil)
        await withCheckedContinuation { continuation in
            thread.value = TestThread {
                body()
                continuation.resume()
            }
        }
        thread.value?.join()
    }

    @Test func aSequenceEndsWithItsEventsCancel() async throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        pipe.put("a")
        var events = 0
        for await event in loop.events(of: pipe.read) {
            events += 1
            event.cancel()
        }
        #expect(events == 1)
        #expect(await loop.shutdown().cancelledWatches == 0)
    }

    @Test func pendingNamesAWatchByItsLabelOrItsPlace() throws {
        let (loop, first, second) = (try Loop(), try TestPipe(), try TestPipe())
        defer { loop.shutdown() }
        loop.watch(first.read, label: "requests") { _ in }
        loop.watch(second.read) { _ in }
        loop.onThread {}
        let pending = loop.pending(limit: 10).filter { $0.kind != .posts(1) }
        let named = pending.first { $0.kind == .descriptor(first.read) }
        #expect(named?.label == "requests" && named?.site == nil)
        #expect(named?.description == "descriptor \(first.read) \"requests\"")
        let unnamed = pending.first { $0.kind == .descriptor(second.read) }
        #expect(unnamed?.label == nil)
        #expect(unnamed?.site?.contains("+0x") == true)
    }

    /// No signal is sent, so it needs no process of its own.
    @Test func pendingNamesASignalByItsLabelOrItsPlace() throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        loop.signals([.user1], label: "reload") { _ in }
        loop.signals([.user2]) { _ in }
        loop.onThread {}
        let pending = loop.pending(limit: 10)
        let named = pending.first { $0.kind == .signal(.user1) }
        #expect(named?.label == "reload" && named?.site == nil)
        let unnamed = pending.first { $0.kind == .signal(.user2) }
        #expect(unnamed?.label == nil && unnamed?.site?.contains("+0x") == true)
    }

    /// The watchdog's report has them, too.
    @Test(arguments: [true, false]) func aWatchThatBlocksItsLoopIsNamed(isLabelled: Bool) throws {
        let (loop, pipe, called) = (try Loop(), try TestPipe(), Gate())
        defer { loop.shutdown() }
        let stall = Shared<Stall?>(nil)
        let watchdog = try loop.watchdog(after: .milliseconds(20)) { news in
            guard !news.isOver, isLabelled ? news.label == "requests" : news.site != nil else {
                return
            }
            stall.update { $0 = $0 ?? news }
            called.open()
        }
        loop.watch(pipe.read, label: isLabelled ? "requests" : nil) { event in
            event.cancel()
            called.wait()
        }
        pipe.put("a")
        called.wait()
        watchdog.cancel()
        let text = stall.value?.description ?? ""
        #expect(text.contains(isLabelled ? "\"requests\"" : "a closure at "), "\(text)")
    }
}
