// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// A loop of a world.
final class WorldLoop {
    let loop: Loop
    /// See ``Member``.
    let member: Int
    private var isInTurn = false
    /// Since when it has work, among the orders of items; 0: it has none.
    var order: UInt64 = 0

    init(_ loop: Loop, _ member: Int) {
        self.loop = loop
        self.member = member
    }

    /// Whether it can take a turn: not below a wait of another loop's closure, which ends first.
    func isFree(_ waiting: Loop?) -> Bool {
        (!isInTurn || loop === waiting) && loop.refusal == nil
    }

    func takeTurn(in world: Simulator) {
        let before = isInTurn
        isInTurn = true
        order = 0
        if loop === world.waiting {
            Loop.with(current: loop) { loop.takeTurn() }
        } else {
            loop.takeTurn()
        }
        isInTurn = before
    }
}

/// Swivel's own contexts: loops are manual loops of the world, and what goes to pools and queues
/// takes its steps here.
extension Simulator: SimulatedWorld {
    var now: LoopClock.Instant {
        LoopClock.Instant(nanoseconds: UInt64(Self.beginning + time))
    }

    func sinceBeginning(_ instant: LoopClock.Instant) -> Int64 {
        Int64(clamping: instant.nanoseconds) - Self.beginning
    }

    func add(_ loop: Loop) {
        loops.removeAll { $0.loop.refusal != nil }
        loops.append(WorldLoop(loop, add("loop \(loop.name)").number))
    }

    /// A loop that is made at its first use.
    func ownLoop(_ name: String) -> Loop {
        do throws(SwivelError) {
            return try Loop(.init(name: name))
        } catch {
            trap("the loop '\(name)' of a simulated world cannot be made: \(error)")
        }
    }

    /// The first item of each lane, and a turn of each loop with work.
    func heads() -> [Item] {
        var items: [Item] = []
        if inLanes > 0 {
            for lane in lanes where !lane.isBusy && !lane.items.isEmpty {
                items.append(lane.items[lane.items.startIndex])
            }
        }
        let now = now
        for index in loops.indices.reversed() {
            let loop = loops[index]
            guard loop.isFree(waiting), let deadline = loop.loop.nextDeadline, deadline <= now
            else { continue }
            if loop.order == 0 { loop.order = nextOrder() }
            items.append(
                Item(
                    kind: .turn, member: loop.member, lane: Self.poolLane, word: UInt(index),
                    order: loop.order))
        }
        return items
    }

    func run(_ work: @escaping @Sendable () -> Void, on place: SimulatedPlace) {
        if isOver { return }
        let (lane, member) = use(place)
        add(.closure, Closure.word(work), of: member, in: lane)
    }

    func isCurrent(_ place: SimulatedPlace) -> Bool {
        lane != Self.poolLane && lane == (place == .main ? Self.mainLane : places[place]?.lane)
    }

    /// A blocking wait: other steps happen inside of it.
    func wait(
        for latch: Latch, until deadline: LoopClock.Instant, file: StaticString, line: UInt
    ) -> Bool {
        let limit = deadline == .never ? nil : sinceBeginning(deadline)
        let before = waiting
        waiting = Loop.current
        defer { waiting = before }
        return Loop.with(current: nil) {
            while !latch.isOpen {
                if let limit, time >= limit { return false }
                let goesOn =
                    step < settings.stepLimit
                    && (takeStep() || moveTime(to: limit) || waitForOthers { latch.isOpen })
                if !goesOn { refuse(file, line) }
            }
            return true
        }
    }

    private func refuse(_ file: StaticString, _ line: UInt) -> Never {
        trap(
            """
            nothing ends this wait in a simulated world: nothing else can go on, and no timer is \
            armed, or the steps are used up. \(Replay.line(seed))
            \(report(.deadlock).timeline)
            """, file: file, line: line)
    }
}
#endif
