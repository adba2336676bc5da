// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `rearm`: true means that the timer does not fire before its new deadline, from any thread.
@Suite(.offPool) struct RearmTests {
    private let probe = Probe()

    /// A timer that is moved becomes the youngest of its deadline (T2).
    @Test(arguments: [true, false])
    func aRearmedTimerIsTheYoungest(inside: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let first = loop.schedule(after: .milliseconds(5), probe.work { order.append(1) })
        loop.schedule(after: .milliseconds(10), probe.work { order.append(2) })
        if inside {
            loop.inside { _ = first.rearm(after: .milliseconds(10)) }
        } else {
            first.rearm(after: .milliseconds(10))
        }
        loop.advance(by: .milliseconds(10))
        #expect(order.value == [2, 1])
    }

    /// To never, and back.
    @Test func aTimerCanBeMovedToNeverAndBack() throws {
        let loop = try manualLoop()
        let handle = loop.schedule(after: .milliseconds(1), probe.work())
        #expect(handle.rearm(after: .seconds(Int64.max)))
        loop.advance(by: .hours(1_000))
        #expect(probe.ran == 0 && handle.isPending)
        #expect(handle.rearm(after: .seconds(-1)))
        #expect(probe.ran == 0)
        loop.runDue()
        #expect(probe.ran == 1)
    }

    /// The leeway that a timer was armed with stays with it.
    @Test func theLeewayStays() throws {
        let loop = try manualLoop()
        var random = Seeded()
        for _ in 0..<300 {
            let fired = Shared<LoopClock.Instant?>(nil)
            let handle = loop.schedule(
                after: .milliseconds(1), leeway: .milliseconds(5),
                probe.work { fired.value = loop.now })
            let delay = Duration.nanoseconds(Int64.random(in: 1...30_000_000, using: &random))
            let deadline = loop.now.advanced(by: delay)
            handle.rearm(after: delay)
            loop.advance(by: .milliseconds(40))
            #expect(fired.value.map { $0 >= deadline } == true)
            #expect(fired.value.map { $0 <= deadline.advanced(by: .milliseconds(5)) } == true)
        }
    }

    /// Arms, rearms and cancels in random order agree with a dumb model.
    @Test func randomRearmsAgreeWithAModel() throws {
        var random = Seeded()
        let loop = try manualLoop()
        let fired = Shared<[Int: LoopClock.Instant]>([:])
        var deadlines: [Int: LoopClock.Instant] = [:]
        var handles: [Int: TimerHandle] = [:]
        for number in 0..<10_000 {
            let delay = Duration.nanoseconds(
                Int64(1) << Int64.random(in: 0...33, using: &random)
                    + Int64.random(in: 0...1_000, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                deadlines[number] = loop.now.advanced(by: delay)
                handles[number] = loop.schedule(
                    after: delay, probe.work { fired.update { $0[number] = loop.now } })
            case 3...5:
                guard let moved = handles.randomElement(using: &random) else { continue }
                let deadline = loop.now.advanced(by: delay)
                let wasFired = fired.value[moved.key] != nil
                let isMoved =
                    Bool.random(using: &random)
                    ? loop.inside { moved.value.rearm(after: delay) }
                    : moved.value.rearm(after: delay)
                // The turn before the inside rearm may have fired it just now.
                #expect(isMoved || wasFired || fired.value[moved.key] != nil)
                if isMoved {
                    deadlines[moved.key] = deadline
                } else {
                    handles[moved.key] = nil
                }
            default:
                loop.advance(by: .nanoseconds(Int64.random(in: 0...2_000_000, using: &random)))
            }
        }
        loop.advance(by: .seconds(30))
        #expect(fired.value == deadlines)
    }

    /// However many moves of other threads wait for a busy loop, they are one.
    @Test(arguments: [true, false])
    func millionsOfMovesWaitForABusyLoop(isTaken: Bool) async {
        await #expect(processExitsWith: .success) { [isTaken] in
            try exitTest {
                let loop = try Loop(Loop.Configuration(name: "test.loop"))
                let ran = Counter()
                let (begun, moved) = (Gate(), Gate())
                let early = isTaken ? loop.schedule(after: .hours(1)) { ran.add() } : nil
                loop.execute {
                    begun.open()
                    moved.wait(seconds: 50)
                }
                begun.wait()
                let handle = early ?? loop.schedule(after: .hours(1)) { ran.add() }
                for _ in 0..<(1 << 21) {
                    require(handle.rearm(after: .hours(2)), "it is pending")
                }
                require(handle.rearm(after: .microseconds(1)), "it is pending")
                moved.open()
                require(eventually { ran.value == 1 }, "the last move counts")
                loop.shutdown()
            }
        }
    }

    /// A timer that others move to an instant that has come fires: who is about to move it does not
    /// hold it up.
    @Test(arguments: [1, 2, 4])
    func aDueTimerFiresHoweverManyThreadsMoveIt(threads: Int) throws {
        let loop = try threadedLoop()
        for _ in 0..<20 {
            let fired = Counter()
            let handle = loop.schedule(after: .hours(1), probe.work { fired.add() })
            onThreads(threads) { _ in
                #expect(
                    eventually(seconds: 60) {
                        handle.rearm(after: .zero)
                        return fired.value > 0
                    })
            }
            guard fired.value == 1 else { break }
        }
        loop.shutdown()
    }
}
