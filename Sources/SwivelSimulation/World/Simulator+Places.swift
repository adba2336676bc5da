// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

/// A loop of a world.
struct WorldLoop {
    let loop: Loop
    /// See ``Cast``.
    let member: Int
}

/// Swivel's own contexts: loops are manual loops of the world, and what goes to pools and queues
/// takes its steps here.
extension Simulator: SimulatedWorld {
    var sharedLoop: Loop { shared }
    var mainLoop: Loop { main }

    var now: LoopClock.Instant {
        LoopClock.Instant(nanoseconds: UInt64(Self.beginning + time))
    }

    func sinceBeginning(_ instant: LoopClock.Instant) -> Int64 {
        Int64(clamping: instant.nanoseconds) - Self.beginning
    }

    func add(_ loop: Loop) {
        loops.append(WorldLoop(loop: loop, member: cast.add("loop \(loop.name)")))
    }

    /// A loop that is made at its first use.
    func ownLoop(_ name: String) -> Loop {
        do throws(SwivelError) {
            return try Loop(.init(name: name))
        } catch {
            trap("the loop '\(name)' of a simulated world cannot be made: \(error)")
        }
    }

    func loopsWithWork() -> [WorldLoop] {
        var found: [WorldLoop] = []
        let now = now
        for index in loops.indices.reversed() {
            let loop = loops[index]
            guard let deadline = loop.loop.nextDeadline, deadline <= now else { continue }
            if loop.loop.refusal == nil { found.append(loop) } else { loops.remove(at: index) }
        }
        return found
    }

    func run(_ work: @escaping @Sendable () -> Void, on place: SimulatedPlace) {
        if isOver { return }
        add(.closure, Closure.word(work), of: member(at: place), in: lane(of: place))
    }

    func isCurrent(_ place: SimulatedPlace) -> Bool {
        lane != Self.poolLane && lane(of: place) == lane
    }

    /// A blocking wait: other steps happen inside of it.
    func wait(
        for latch: Latch, until deadline: LoopClock.Instant, file: StaticString, line: UInt
    ) -> Bool {
        let limit = deadline == .never ? nil : sinceBeginning(deadline)
        while !latch.isOpen {
            if let limit, time >= limit { return false }
            if takeStep() || moveTime(to: limit) || waitForOthers() { continue }
            trap(
                """
                nothing ends this wait in a simulated world: nothing else can go on, and no timer \
                is armed. \(Replay.line(seed))
                \(report(.deadlock).timeline)
                """, file: file, line: line)
        }
        return true
    }
}
#endif
