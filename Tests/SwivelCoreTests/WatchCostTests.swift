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

    /// Events that follow each other do not hold up a timer that one of them has armed.
    @Test func aTimerFiresBetweenEventsThatFollowEachOther() throws {
        let long = Loop.Configuration(turnBudget: .init(count: 1_000_000, time: .seconds(1)))
        let (loop, pipe, gate) = (try Loop(long), try TestPipe(), Gate())
        defer { loop.shutdown() }
        let (heard, behind) = (Counter(), Counter())
        loop.watch(pipe.read) { [weak loop] _ in
            pipe.take()
            let number = heard.add()
            if number == 100 {
                loop?.schedule(after: .nanoseconds(1)) { behind.add(heard.value - number) }
            }
            if number < 5_000 { pipe.put("a") } else { gate.open() }
        }
        pipe.put("a")
        gate.wait()
        #expect(behind.value < 1_000)
    }

    /// F1: posts that use a turn's budget up leave events one of their own.
    @Test func eventsBesideSlowPostsHaveABudgetOfTheirOwn() throws {
        let (loop, gate) = (try Loop(), Gate())
        defer { loop.shutdown() }
        let pipes = try (0..<200).map { _ in try TestPipe() }
        let (heard, posts) = (Counter(), Counter())
        for pipe in pipes {
            loop.watch(pipe.read) { _ in
                pipe.take()
                if heard.add() == pipes.count { gate.open() }
            }
        }
        loop.onThread { pipes.forEach { $0.put("a") } }
        // One is always there when a turn begins.
        while heard.value < pipes.count {
            loop.execute {
                posts.add()
                usleep(1_500)
            }
            usleep(500)
        }
        gate.wait()
        #expect(posts.value < pipes.count / 4)
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
