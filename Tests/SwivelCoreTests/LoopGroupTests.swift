// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct LoopGroupTests {
    private let probe = Probe()

    @Test func loopsComeInTurn() throws {
        let group = try LoopGroup(count: 3, configuration: .init(name: "test.group"))
        #expect(group.loops.count == 3)
        #expect(group.loops.map(\.description) == (0..<3).map { "Loop(test.group-\($0))" })
        let round = (0..<9).map { _ in group.next() }
        for (number, loop) in round.enumerated() {
            #expect(loop === group.loops[number % 3])
        }
        group.shutdown()
    }

    /// Equal keys find the same loop; different keys spread.
    @Test func equalKeysFindTheSameLoop() throws {
        let group = try LoopGroup(count: 4, configuration: .init(name: "test.group"))
        var found: Set<ObjectIdentifier> = []
        for key in 0..<200 {
            let loop = group.next(for: key)
            #expect(loop === group.next(for: key))
            #expect(group.next(for: "key \(key)") === group.next(for: "key \(key)"))
            found.insert(ObjectIdentifier(loop))
        }
        #expect(found.count == 4)
        group.shutdown()
    }

    /// The loop with the fewest timers, its last turn and other threads counted.
    @Test func theLeastLoadedLoopIsFound() throws {
        let group = try LoopGroup(count: 3, configuration: .init(name: "test.group"))
        for (number, load) in [(0, 5), (1, 2), (2, 9)] {
            for _ in 0..<load {
                group.loops[number].schedule(after: .hours(1), probe.work())
            }
            group.loops[number].onThread {}
            // The counters tell what the turn before the answer left behind.
            group.loops[number].onThread {}
        }
        #expect(group.leastLoaded === group.loops[1])
        let reports = group.shutdown()
        #expect(reports.map(\.cancelledTimers) == [5, 2, 9])
    }

    @Test func itShutsDownForTasks() async throws {
        let group = try LoopGroup(count: 2, configuration: .init(name: "test.group"))
        let ran = Gate()
        group.loops.forEach { $0.execute(probe.work { ran.open() }) }
        let reports = await group.shutdown(.drain(within: .seconds(10)))
        #expect(reports.count == 2 && reports.allSatisfy { $0.isComplete })
        #expect(ran.opened == 2)
    }

    /// S1: two of its loops shut it down in their closures, each waiting for the other.
    @Test(arguments: [ShutdownMode.cancelPending, .drain(within: .seconds(10))])
    func twoOfItsLoopsShutItDown(_ mode: ShutdownMode) throws {
        for _ in 0..<20 {
            let group = try LoopGroup(count: 3, configuration: .init(name: "test.group"))
            let (line, returned) = (Counter(), Gate())
            for loop in group.loops.prefix(2) {
                loop.execute(
                    probe.work {
                        line.add()
                        while line.value < 2 {}
                        let reports: [ShutdownReport] = group.shutdown(mode)
                        if reports.count == 3 { returned.open() }
                    })
            }
            returned.wait(times: 2)
            #expect(group.shutdown().allSatisfy { $0.isComplete })
        }
    }

    /// A loop of the group may shut it down: it closes last.
    @Test func aLoopOfTheGroupMayEndIt() throws {
        let group = try LoopGroup(count: 3, configuration: .init(name: "test.group"))
        group.loops.forEach { $0.schedule(after: .hours(1), probe.work()) }
        let reports = group.loops[1].onThread { group.shutdown() }
        #expect(reports.map(\.isComplete) == [true, false, true])
        let total = group.shutdown().total
        #expect(total.isComplete && total.cancelledTimers == 3 && total.cancelled == 3)
        #expect(Probe.allAreReleased())
    }

    /// A thread keeps its loop, and a loop is its own.
    @Test func aThreadKeepsItsLoop() throws {
        let group = try LoopGroup(count: 4, configuration: .init(name: "test.group"))
        let other = try threadedLoop()
        for loop in group.loops { #expect(loop.onThread { group.sticky } === loop) }
        #expect(group.sticky === group.sticky)
        #expect(other.onThread { group.sticky } === other.onThread { group.sticky })
        let found = Shared<Set<ObjectIdentifier>>([])
        for _ in 0..<64 {
            TestThread { found.update { _ = $0.insert(ObjectIdentifier(group.sticky)) } }.join()
        }
        #expect(found.value.count == 4)
        group.shutdown()
        other.shutdown()
    }

    #if os(Linux)
    /// Loops are pinned to the processors in turn.
    @Test func loopsArePinnedInTurn() throws {
        let group = try LoopGroup(
            count: 3, configuration: .init(name: "test.group"), pinnedTo: [0])
        for loop in group.loops {
            let allowed = loop.onThread {
                (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8))?
                    .split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
            }
            #expect(allowed?.split(whereSeparator: \.isWhitespace).last == "0")
        }
        group.shutdown()
    }
    #endif
}
