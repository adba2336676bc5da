// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// T2: timers with equal deadlines fire in the order of the calls, of which a move is one, inside the
/// loop and outside.
@Suite(.offPool) struct CallOrderTests {
    /// The call that moves a timer of a crew.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case arm, armAt, rearm, once
        var testDescription: String { rawValue }
    }

    /// From outside, from inside, and from outside with the loop looking in between.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case outside, inside, withTurns
        var testDescription: String { rawValue }
    }

    @Test(arguments: Way.allCases, Place.allCases)
    func aTimerMovedTwiceTakesItsLastPlace(way: Way, place: Place) throws {
        for moves in [[0, 1, 0], [0, 1, 1, 0, 2, 0, 1], [2, 1, 0, 2, 1, 0, 0], [1, 0, 1, 2, 0]] {
            let loop = try manualLoop()
            let crew = Crew(on: loop, way: way)
            let at = loop.now.advanced(by: .milliseconds(5))
            let all: @Sendable () -> Void = { moves.forEach { crew.move($0, to: at) } }
            switch place {
            case .outside: all()
            case .inside: loop.inside(all)
            case .withTurns:
                for number in moves {
                    crew.move(number, to: at)
                    loop.runDue()
                }
            }
            loop.advance(by: .milliseconds(5))
            #expect(crew.order.value == Crew.order(of: moves))
            crew.end()
            loop.shutdown()
        }
    }

    /// A real loop that sleeps, or is held up, and takes up only the last of several moves.
    @Test(arguments: [Way.armAt], [true, false])
    func onARealLoopLikewise(way: Way, held: Bool) throws {
        for first in [Duration.seconds(60), .milliseconds(200), .milliseconds(150)] {
            let loop = try threadedLoop()
            let crew = Crew(on: loop, way: way)
            let at = loop.now.advanced(by: .milliseconds(200))
            // Filed, so that a later deadline is only stored.
            loop.onThread {
                (0..<3).forEach { crew.move($0, to: at.advanced(by: first - .milliseconds(200))) }
            }
            (0..<3).forEach { crew.move($0, to: at.advanced(by: first - .milliseconds(200))) }
            loop.endTurn()
            let release = Gate()
            if held {
                let entered = Gate()
                loop.execute {
                    entered.open()
                    release.wait()
                }
                entered.wait()
            }
            let moves = [0, 1, 0, 2, 1, 2, 0]
            onThread { moves.forEach { crew.move($0, to: at) } }
            release.open()
            crew.gate.wait(times: 3)
            #expect(crew.order.value == Crew.order(of: moves))
            crew.end()
            loop.shutdown()
        }
    }

    /// In its closure a repeat is moved before another timer is armed.
    @Test func aMoveInTheOwnClosureIsACallOfThatMoment() throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let other = LoopTimer(on: loop) { order.append(1) }
        let handle = loop.schedule(every: .milliseconds(5)) { tick in
            order.append(0)
            guard order.value.count == 1 else { return tick.cancel() }
            tick.handle.rearm(after: .milliseconds(3))
            other.arm(after: .milliseconds(3))
        }
        let kept = Shared<LoopTimer?>(nil)
        let third = LoopTimer(on: loop) { order.append(3) }
        kept.value = LoopTimer(on: loop) {
            order.append(2)
            guard order.value.count(where: { $0 == 2 }) == 1 else { return }
            kept.value?.arm(after: .milliseconds(3))
            third.arm(after: .milliseconds(3))
        }
        loop.advance(by: .milliseconds(10))
        #expect(order.value == [0, 0, 1])
        kept.value?.arm(after: .milliseconds(3))
        loop.advance(by: .milliseconds(10))
        #expect(order.value == [0, 0, 1, 2, 2, 3])
        kept.value = nil
        handle.cancel()
        loop.shutdown()
    }

    /// More calls in one turn than its block of numbers has: later calls from outside come after them.
    @Test func aTurnOfVeryManyCallsKeepsTheOrder() throws {
        let loop = try manualLoop()
        let order = Shared<[Int]>()
        let timer = LoopTimer(on: loop) { order.append(2) }
        let at = loop.now.advanced(by: .milliseconds(5))
        timer.arm(after: .hours(1))
        loop.inside {
            for _ in 0..<200_000 { timer.arm(at: at) }
            loop.schedule(at: at) { order.append(1) }
        }
        timer.arm(at: at)
        loop.schedule(at: at) { order.append(3) }
        loop.inside { loop.schedule(at: at) { order.append(4) } }
        loop.advance(by: .milliseconds(5))
        #expect(order.value == [1, 2, 3, 4])
        loop.shutdown()
    }
}

/// Timers that note their numbers when they fire.
private final class Crew: Sendable {
    let order = Shared<[Int]>()
    let gate = Gate()
    private let loop: Loop
    private let way: CallOrderTests.Way
    private let timers: [LoopTimer]
    private let handles: [TimerHandle]

    init(on loop: Loop, way: CallOrderTests.Way) {
        let (order, gate) = (order, gate)
        let work: @Sendable (Int) -> @Sendable () -> Void = { number in
            {
                order.append(number)
                gate.open()
            }
        }
        self.loop = loop
        self.way = way
        let usesTimers = way == .arm || way == .armAt
        timers = usesTimers ? (0..<3).map { LoopTimer(on: loop, work($0)) } : []
        handles = way == .rearm ? (0..<3).map { loop.schedule(after: .hours(1), work($0)) } : []
    }

    func move(_ number: Int, to instant: LoopClock.Instant) {
        let delay = loop.now.duration(to: instant)
        switch way {
        case .arm: timers[number].arm(after: delay)
        case .armAt: timers[number].arm(at: instant)
        case .rearm: handles[number].rearm(after: delay)
        case .once:
            let (order, gate) = (order, gate)
            loop.once("\(ObjectIdentifier(self)) \(number)", after: delay) {
                order.append(number)
                gate.open()
            }
        }
    }

    func end() { handles.forEach { $0.cancel() } }

    /// The order in which the timers fire: by the last move of each.
    static func order(of moves: [Int]) -> [Int] {
        Set(moves).sorted {
            (moves.lastIndex(of: $0) ?? -1) < (moves.lastIndex(of: $1) ?? -1)
        }
    }
}
