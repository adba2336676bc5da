// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import SwivelCore
import SwivelTestSupport
import Testing

/// How often a loop goes to sleep for the events of its watches: each time is system calls and, if it
/// does sleep, two changes of threads. (Counts decide, not times.)
@Suite(.offPool) struct WatchCostTests {
    /// Each event has made the next one ready.
    @Test func eventsThatFollowEachOtherCostNoSleep() throws {
        let (loop, pipe, gate) = (try Loop(), try Pipe(), Gate())
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

    /// Timers that come due meanwhile fire.
    @Test func theyHoldUpNoTimer() throws {
        let (loop, pipe, gate) = (try Loop(), try Pipe(), Gate())
        defer { loop.shutdown() }
        let (heard, ticks, early) = (Counter(), Counter(), Counter())
        loop.watch(pipe.read) { _ in
            pipe.take()
            heard.add()
            if ticks.value < 50 { pipe.put("a") } else { gate.open() }
        }
        loop.onThread {
            loop.schedule(every: .microseconds(100)) { tick in
                if LoopClock.Instant.now < tick.scheduled { early.add() }
                if ticks.add() == 50 { tick.cancel() }
            }
        }
        pipe.put("a")
        gate.wait()
        #expect(early.value == 0)
    }

    /// A pause behind each event: the loop sleeps once, and looks after the descriptor before that.
    @Test func anEventAfterAPauseCostsOneSleep() throws {
        let (loop, pipe, gate) = (try Loop(), try Pipe(), Gate())
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

    /// Many at once are not checked one by one. Each of those that were closed has an error all the
    /// same.
    @Test func eachOfManyThatAreClosedInTheirClosuresIsTold() throws {
        let (loop, pipes, gate) = (try Loop(), try (0..<200).map { _ in try Pipe() }, Gate())
        defer { loop.shutdown() }
        for (index, pipe) in pipes.enumerated() {
            loop.watch(pipe.read) { event in
                pipe.take()
                guard event.error == nil else { return gate.open() }
                if index.isMultiple(of: 2) { pipe.closeReading() }
            }
        }
        loop.onThread { pipes.forEach { $0.put("a") } }
        gate.wait(times: 100)
    }

    /// A closure that is put back after each event is the same one, and no closure around it: the
    /// stack beneath it does not grow.
    @Test(.disabled(if: Machine.isSanitized, "its variables lie beside the stack"))
    func eachEventIsAsFarFromTheLoopAsTheFirst() throws {
        let (loop, pipe, gate) = (try Loop(), try Pipe(), Gate())
        defer { loop.shutdown() }
        let depths = Shared<[UInt]>([])
        loop.watch(pipe.read) { _ in
            var here = 0
            let depth = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
            depths.append(depth)
            if depths.value.count == 200 {
                pipe.take()
                gate.open()
            }
        }
        pipe.put("a")
        gate.wait()
        #expect(depths.value.count == 200)
        // Turns are of a few kinds.
        #expect(Set(depths.value.suffix(100)).count <= 10)
    }
}
