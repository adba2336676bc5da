// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// How often a loop goes to sleep for the events of its watches: each time is system calls and, if it
/// does sleep, two changes of threads. (Counts decide, not times.)
@Suite(.offPool) struct WatchCostTests {
    /// Each event has made the next one ready.
    @Test func eventsThatFollowEachOtherCostNoSleep() throws {
        let (loop, pipe, gate) = (try Loop(), try TestPipe(), Gate())
        defer { loop.shutdown() }
        let heard = Counter()
        loop.watch(pipe.read) { _ in
            pipe.take()
            if heard.add() < 2_000 { pipe.put("a") } else { gate.open() }
        }
        loop.onThread {}
        let parks = loop.metrics.parks
        pipe.put("a")
        gate.wait()
        #expect(loop.metrics.parks - parks < 1_000)
    }

    /// F1: closures that take longer than a turn may last have a turn each, or two of them.
    @Test func slowEventsThatFollowEachOtherEndTheTurn() throws {
        let (loop, pipe, gate) = (try Loop(), try TestPipe(), Gate())
        defer { loop.shutdown() }
        let heard = Counter()
        loop.watch(pipe.read) { _ in
            pipe.take()
            usleep(2_000)
            if heard.add() < 100 { pipe.put("a") } else { gate.open() }
        }
        loop.onThread {}
        let turns = loop.metrics.turns
        pipe.put("a")
        gate.wait()
        #expect(loop.metrics.turns - turns >= 40)
    }

    /// A pause behind each event: the loop sleeps once, and checks the descriptor before that.
    @Test func anEventAfterAPauseCostsOneSleep() throws {
        let (loop, pipe, gate) = (try Loop(), try TestPipe(), Gate())
        defer { loop.shutdown() }
        loop.watch(pipe.read) { _ in
            pipe.take()
            gate.open()
        }
        loop.onThread {}
        var sleeps: [Int] = []
        for round in 1...20 {
            let parks = loop.metrics.parks
            pipe.put("a")
            gate.wait(times: round)
            usleep(5_000)
            sleeps.append(loop.metrics.parks - parks)
        }
        // A check of all watches, or a machine that stands still, ends some of them.
        #expect(sleeps.min() == 1)
    }
}
