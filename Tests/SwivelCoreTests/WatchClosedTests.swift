// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// W1 and W2: a descriptor is closed under its watch, and its number may stand for another file.
@Suite(.offPool) struct WatchClosedTests {
    /// Counts the loop's turns: a post of a post of …
    private static func countTurns(_ loop: Loop, _ turns: Counter, upTo last: Int = 50) {
        loop.execute {
            if turns.add() < last { countTurns(loop, turns, upTo: last) }
        }
    }

    @Test(arguments: [1, 4, 5, 100])
    func aDescriptorClosedInItsOwnClosureIsReportedInTheNextTurn(count: Int) throws {
        for _ in 0..<10 {
            let loop = try Loop(.init(turnBudget: .init(time: .seconds(60))))  // Under any load.
            let (pipes, turns) = (try (0..<count).map { _ in try TestPipe() }, Counter())
            let (delays, gate) = (Shared<[Int]>([]), Gate())
            for pipe in pipes {
                let closed = Counter(-1)
                loop.watch(pipe.read) { event in
                    if let error = event.error {
                        #expect(error.code == .descriptorClosed)
                        delays.append(turns.value - closed.value)
                        gate.open()
                    } else {
                        pipe.closeReading()
                        closed.add(turns.value + 1)
                    }
                }
            }
            Self.countTurns(loop, turns, upTo: .max)
            loop.onThread { for pipe in pipes { pipe.put("a") } }
            gate.wait(times: count)
            #expect(delays.value.allSatisfy { $0 <= 1 }, "\(delays.value)")
            loop.shutdown()
        }
    }

    /// Elsewhere, beside events that follow each other for as long as the turn's budget lets them.
    @Test func aBusyTurnDoesNotHideAClosedDescriptor() throws {
        let long = Loop.Configuration(turnBudget: .init(count: .max >> 32, time: .seconds(60)))
        let (loop, busy, other) = (try Loop(long), try TestPipe(), try TestPipe())
        defer { loop.shutdown() }
        let (gate, isTold, events) = (Gate(), Counter(), Counter())
        let began = ContinuousClock.now
        loop.watch(other.read) { event in
            if event.error != nil { isTold.add() }
        }
        loop.watch(busy.read) { _ in
            busy.take()
            if events.add() == 1_000 { other.closeReading() }
            let lasts = isTold.value == 0 && began.duration(to: .now) < .seconds(5)
            if lasts { busy.put("a") } else { gate.open() }
        }
        busy.put("a")
        gate.wait()
        #expect(isTold.value == 1)
    }

    /// In its own closure, and another file has the number at once.
    @Test func aNumberReusedInItsOwnClosureIsToldAndHearsNothingElse() throws {
        let (loop, old, new) = (try Loop(), try SocketPair(), try SocketPair())
        defer { loop.shutdown() }
        let (events, gate) = (Shared<[WatchEvent]>([]), Gate())
        loop.watch(old.one) { event in
            events.append(event)
            if event.error == nil {
                try? new.take(numberOf: old)
                new.put("for the new file")
            } else {
                gate.open()
            }
        }
        old.put("a")
        gate.wait()
        for _ in 0..<20 { loop.onThread {} }
        #expect(events.value.map { $0.error?.code } == [nil, .descriptorClosed])
    }

    /// The same while a leftover of a watch that was closed too early makes the loop replace its set.
    @Test func aReusedNumberIsNotTakenIntoANewSet() throws {
        let (loop, left) = (try Loop(), try TestPipe())
        let (old, new) = (try SocketPair(), try SocketPair())
        defer { loop.shutdown() }
        let (events, gate) = (Shared<[WatchEvent]>([]), Gate())
        let other = loop.watch(left.read) { _ in }
        loop.watch(old.one) { event in
            events.append(event)
            if event.error == nil {
                loop.execute {}  // The next poll comes before any check.
                let copy = dup(left.read)
                left.closeReading()
                other.cancel()
                left.put("a leftover")
                try? new.take(numberOf: old)
                new.put("for the new file")
                loop.schedule(after: .seconds(1)) { close(copy) }
            } else {
                gate.open()
            }
        }
        loop.onThread { old.put("a") }
        gate.wait()
        for _ in 0..<20 { loop.onThread {} }
        #expect(events.value.map { $0.error?.code } == [nil, .descriptorClosed])
    }

    /// The time between two checks does not grow while a loop has nothing to do. (A minute would do
    /// for the order; a second leaves room for a loaded machine.)
    @Test func aCheckComesSoonAfterALongSleep() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        loop.watch(pipe.read) { ear.hear($0) }
        loop.onThread {}
        usleep(4_000_000)
        pipe.closeReading()
        let closed = LoopClock.Instant.now
        ear.wait(turning: loop)
        #expect(closed.duration(to: LoopClock.Instant.now) < .seconds(2))
    }

    /// Many watches are checked in steps, all within the same time.
    @Test func everyOneOfManyIsChecked() throws {
        let (loop, pipes, gate) = (try Loop(), try (0..<1_500).map { _ in try TestPipe() }, Gate())
        defer { loop.shutdown() }
        for pipe in pipes {
            loop.watch(pipe.read) { event in
                if event.error != nil { gate.open() }
            }
        }
        loop.onThread {}
        pipes.forEach { $0.closeReading() }
        let closed = LoopClock.Instant.now
        let limit = closed.advanced(by: .seconds(5))
        while gate.opened < pipes.count, LoopClock.Instant.now < limit { loop.onThread {} }
        #expect(gate.opened == pipes.count)
    }

    #if os(Linux)
    /// S5: a check follows what the loop has run, and then no other.
    @Test func anIdleLoopThatWatchesIsNotWoken() throws {
        let (loop, pipe) = (try Loop(), try TestPipe())
        defer { loop.shutdown() }
        loop.watch(pipe.read) { _ in }
        loop.onThread {}
        usleep(600_000)
        let parks = loop.metrics.parks
        usleep(2_500_000)
        #expect(loop.metrics.parks == parks)
    }
    #endif

    /// The file lives on under another number, and stays ready: the system still reports it.
    @Test func aFileThatLivesOnDoesNotKeepTheLoopAwake() throws {
        let (loop, pipe, ear) = (try Loop(), try TestPipe(), Ear())
        defer { loop.shutdown() }
        loop.watch(pipe.read) { ear.hear($0) }
        loop.onThread {}
        let other = dup(pipe.read)
        defer { close(other) }
        pipe.closeReading()
        ear.wait(turning: loop)
        #expect(ear.last.value?.error?.code == .descriptorClosed)
        pipe.put("a")
        let (second, heard) = (try TestPipe(), Ear())
        loop.watch(second.read) {
            second.take()
            heard.hear($0)
        }
        usleep(400_000)
        let turns = loop.metrics.turns
        usleep(300_000)
        #expect(loop.metrics.turns - turns < 50)
        second.put("b")
        heard.gate.wait()
    }

    /// The old file lives on and is ready; its number is the new file's, which is watched too.
    @Test func aNewWatchHearsNothingOfTheOldFile() throws {
        let (loop, old, new) = (try Loop(), try SocketPair(), try SocketPair())
        defer { loop.shutdown() }
        let (former, ear) = (Ear(), Ear())
        loop.watch(old.one) { former.hear($0) }
        loop.onThread {}
        let other = dup(old.one)
        defer { close(other) }
        loop.onThread {
            try? new.take(numberOf: old)
            loop.watch(old.one) { ear.hear($0) }
        }
        old.put("for the old file")
        former.gate.wait()
        #expect(former.last.value?.error?.code == .descriptorClosed)
        for _ in 0..<20 { loop.onThread {} }
        #expect(ear.gate.opened == 0)
        new.put("a")
        ear.gate.wait()
        #expect(ear.last.value?.ready == .readable)
    }
}
