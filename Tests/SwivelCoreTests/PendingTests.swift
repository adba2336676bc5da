// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct PendingTests {
    private let probe = Probe()

    /// The last one that is scheduled fires first.
    @Test func aTimerAppearsWithItsLabel() throws {
        let loop = try Loop()
        defer { loop.shutdown() }
        let timer = LoopTimer(on: loop, label: "reusable", probe.work {})
        timer.arm(after: .seconds(900))
        let save = Coalescer(on: loop, after: .seconds(800), label: "save", probe.work {})
        save.call()
        loop.schedule(after: .seconds(700), label: "later", probe.work {})
        loop.schedule(at: .now.advanced(by: .seconds(600)), label: "then", probe.work {})
        loop.schedule(every: .seconds(500), label: "tick", { (_: Tick) in })
        loop.schedule(every: .seconds(400), label: "beat", probe.work {})
        loop.schedule(everyAfterCompletion: .seconds(300), label: "again", { (_: Tick) in })
        loop.schedule(everyAfterCompletion: .seconds(200), label: "poll", probe.work {})
        loop.schedule(after: .seconds(100), probe.work {})
        let list = loop.pending(limit: 20)
        #expect(
            list.map(\.label) == [
                nil, "poll", "again", "beat", "tick", "then", "later", "save", "reusable",
            ])
        #expect(
            list.map(\.kind) == [
                .once, .afterCompletion(.seconds(200)), .afterCompletion(.seconds(300)),
                .every(.seconds(400)), .every(.seconds(500)), .once, .once, .rearmable, .rearmable,
            ])
        #expect("\(list[3])".hasPrefix("every 400.0 seconds \"beat\", due in "))
        #expect(list[0].site != nil && list[1].site == nil)
        timer.disarm()
        #expect(list.dropLast(2).allSatisfy { $0.handle?.cancel() == .cancelled })
        #expect(loop.pending(limit: 20).map(\.label) == ["save"])
        #expect(loop.pending(limit: 0).isEmpty)
        #expect("\(list[0])".contains("+0x"))
    }

    @Test func aNegativeLimitTrapsWithTheCallersLine() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest { _ = try Loop().pending(limit: -1) }
        }
        #expect(printed("SwivelCoreTests/PendingTests.swift", result))
        #expect(printed("a limit must not be negative, and is -1", result))
    }

    @Test func watchesSignalsAndPostsAppear() throws {
        let (loop, pipe) = (try Loop.embedded(), try TestPipe())
        defer { loop.shutdown() }
        loop.watch(pipe.read) { _ in }
        loop.signals([.user2]) { _ in }
        #expect(loop.pending(limit: 9).map(\.kind) == [.posts(2)])
        while loop.runOnce(.noWait) {}
        loop.execute {}
        let kinds = loop.pending(limit: 9).map(\.kind)
        #expect(kinds.first == .posts(1))
        #expect(Set(kinds) == [.posts(1), .descriptor(pipe.read), .signal(.user2)])
        #expect(loop.pending(limit: 1).count == 2)
    }

    @Test func aTaskSuspends() async throws {
        let loop = try Loop()
        loop.schedule(after: .seconds(60), label: "late") {}
        #expect(await loop.pending(limit: 9).map(\.label) == ["late"])
        await loop.shutdown()
        #expect(await loop.pending(limit: 9).isEmpty)
    }

    /// Whatever their nodes were before.
    @Test func whatIsDueAtOnceIsListedInOrder() throws {
        let loop = try manualLoop()
        loop.inside {
            for _ in 0..<8 {
                let timers = (0..<8).map { loop.schedule(after: .seconds(8 - $0)) {} }
                timers.forEach { $0.cancel() }
            }
            loop.schedule(after: .zero, label: "first") {}
            loop.schedule(every: .seconds(1), startingAfter: .zero, label: "second") { _ in }
            loop.schedule(after: .zero, label: "third") {}
            #expect(loop.pending.compactMap(\.label) == ["first", "second", "third"])
            #expect(loop.pending(limit: 2).compactMap(\.label) == ["first", "second"])
        }
        loop.shutdown()
    }

    /// Against a sorted list of all.
    @Test func theSoonestAreListed() throws {
        var random = Seeded()
        for _ in 0..<30 {
            let loop = try manualLoop()
            let count = Int.random(in: 0...400, using: &random)
            var instants: [LoopClock.Instant] = []
            for _ in 0..<count {
                let delay = Duration.milliseconds(Int.random(in: 1...500, using: &random))
                let timer = loop.schedule(after: delay) {}
                if Int.random(in: 0...4, using: &random) == 0 {
                    timer.cancel()
                } else {
                    instants.append(loop.now.advanced(by: delay))
                }
            }
            instants.sort()
            for limit in [0, 1, 2, 3, Int.random(in: 4...200, using: &random), count, 1_000] {
                let found = loop.pending(limit: limit).compactMap(\.deadline)
                #expect(found == Array(instants.prefix(limit)), "limit \(limit) of \(count)")
            }
        }
    }
}
