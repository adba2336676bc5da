// SPDX-License-Identifier: Apache-2.0
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
}
