// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) internal import _Concurrency
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// One run of a seed: a world, and the thread that takes its steps.
///
/// A step is one job of a task or an actor, one closure of a queue or a pool, or one turn of a loop.
/// Items in ``ready``, the first of each lane, and loops with work could take a step; the strategy
/// chooses one. Time stands still while there is any, and moves to the next alarm or deadline of a loop
/// when there is none.
final class Simulator: @unchecked Sendable {
    // because one thread uses it. So no access need be checked for exclusivity.

    /// The first instant of each world: later than any that a real clock reads, because a thread's
    /// time never goes back.
    static let beginning: Int64 = 100_000_000_000_000_000
    /// 2027-01-15, 8:00 UTC.
    private static let wallBeginning: Int64 = 1_800_000_000_000_000_000
    /// The numbers of lanes: the first two are not the queues'.
    static let (poolLane, mainLane) = (0, 1)

    let seed: UInt64
    let search: Search
    let settings: Settings
    /// Nanoseconds since the beginning.
    @exclusivity(unchecked) private(set) var time: Int64 = 0
    @exclusivity(unchecked) private(set) var step = 0
    /// The first step at the present instant.
    @exclusivity(unchecked) private var firstStepNow = 0
    /// By how much the wall clock was set.
    @exclusivity(unchecked) var wallOffset: Int64 = 0
    @exclusivity(unchecked) var members: [Member] = []
    @exclusivity(unchecked) var timeline = Timeline()
    @exclusivity(unchecked) private var chooser: Chooser
    /// For faults, so that they do not change the order.
    @exclusivity(unchecked) var chance: SplitMix64
    @exclusivity(unchecked) var alarms = Alarms()
    /// Items that could take a step on any thread.
    @exclusivity(unchecked) var ready = Items()
    /// The serial places, by number; the first is not one.
    @exclusivity(unchecked) var lanes = [Lane(), Lane()]
    /// How many items they have.
    @exclusivity(unchecked) var inLanes = 0
    var laneNumbers: [SimulatedPlace: Int] = [:]
    var placeNumbers: [SimulatedPlace: Int] = [:]
    @exclusivity(unchecked) var loops: [WorldLoop] = []
    @exclusivity(unchecked) var order: UInt64 = 0
    /// Where the present step runs, and whose it is.
    @exclusivity(unchecked) private(set) var lane = poolLane
    @exclusivity(unchecked) private(set) var member = 0
    /// The suspensions until one is a cancel; negative: there is none.
    @exclusivity(unchecked) var suspensionsToCancel = -1
    var hasCancelled = false
    /// The body's error.
    var thrown: (any Error)?
    /// The body has ended.
    @exclusivity(unchecked) var isFinished = false
    /// The run has ended: nothing takes a step any more.
    @exclusivity(unchecked) var isOver = false
    var escapes: [String] = []
    lazy var shared = ownLoop("swivel.shared")
    lazy var main = ownLoop("swivel.main")
    private(set) lazy var network = SimulatedNetwork(self)
    let executor = WorldExecutor()
    /// The loop in whose closure the innermost wait is.
    var waiting: Loop?

    init(seed: UInt64, _ search: Search) {
        self.seed = seed
        self.search = search
        settings = search.settings
        chooser = Chooser(settings.strategy, seed: seed)
        chance = SplitMix64(seed: seed ^ 0x5EED)
        if settings.isCancelling {
            // As likely among the first few as among the first thousand.
            suspensionsToCancel = Int(chance.next() % (1 << (chance.next() % 11)))
        }
    }

    var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The world that the calling thread runs.
    static var here: Simulator? {
        swivel_sim_here().pointee.world.map {
            Unmanaged<Simulator>.fromOpaque($0).takeUnretainedValue()
        }
    }

    // MARK: Steps

    /// Takes steps until the body has ended or nothing can go on.
    func run() -> SimulatedRun.End {
        let limit = settings.stepLimit
        while !isFinished {
            if step >= limit { return step - firstStepNow > limit / 2 ? .endless : .outOfSteps }
            if !takeStep(), !moveTime(), !waitForOthers() { return .deadlock }
        }
        return .finished
    }

    /// Takes one step. False: nothing could.
    func takeStep() -> Bool {
        if executor.hasArrivals { admitArrivals() }
        if inLanes > 0 || !loops.isEmpty { return takeStepAnywhere() }
        let count = ready.count
        if count == 0 { return false }
        let index = chooser.choose(among: count, at: step) { ready[$0] }
        begin(index, of: count)
        perform(ready.take(index))
        return true
    }

    private func takeStepAnywhere() -> Bool {
        let queues =
            inLanes == 0 ? [] : lanes.indices.filter { !lanes[$0].isEmpty && !lanes[$0].isBusy }
        let turns = loopsWithWork()
        let count = ready.count + queues.count + turns.count
        if count == 0 { return false }
        let index = chooser.choose(among: count, at: step) { index in
            if index < ready.count { return ready[index] }
            let index = index - ready.count
            if index < queues.count { return lanes[queues[index]].first }
            return item(turns[index - queues.count])
        }
        begin(index, of: count)
        if index < ready.count {
            perform(ready.take(index))
        } else if index < ready.count + queues.count {
            inLanes -= 1
            perform(lanes[queues[index - ready.count]].removeFirst())
        } else {
            let turn = turns[index - ready.count - queues.count]
            perform(turn.member, in: Self.poolLane) { turn.takeTurn(in: self) }
        }
        return true
    }

    private func item(_ loop: WorldLoop) -> Item {
        Item(kind: .job, member: loop.member, lane: Self.poolLane, word: 0, order: loop.order)
    }

    private func begin(_ index: Int, of count: Int) {
        timeline.mix(UInt64(truncatingIfNeeded: count << 32 | index))
        step += 1
    }

    private func perform(_ item: Item) {
        perform(item.member, in: item.lane) {
            if item.kind == .closure {
                Closure.take(item.word)()
            } else if item.lane == Self.mainLane {
                let main = MainRouter.shared.asUnownedSerialExecutor()
                Self.job(item.word).runSynchronously(on: main)
            } else {
                WakeJob.run(Self.job(item.word))
            }
        }
    }

    /// Runs a step of a member. A step that waits has others inside of it.
    private func perform(_ number: Int, in lane: Int, _ work: () -> Void) {
        let before = (self.lane, self.member)
        (self.lane, self.member) = (lane, number)
        // A wait on the main queue runs the main queue; one on another queue holds it up, so that
        // no other step of it begins.
        if lane > Self.mainLane { lanes[lane].isBusy = true }
        timeline.add(.runs, number, step, time)
        let member = members[number]
        member.state = .running
        work()
        if lane > Self.mainLane { lanes[lane].isBusy = false }
        (self.lane, self.member) = before
        if member.task == nil { return }
        if member.ends() {
            timeline.add(.ends, number, step, time)
        } else if member.state == .running {
            member.state = .waiting
            member.since = time
            if number != 0 { suspended(member) }
        }
    }

    /// Moves time to the next instant at which something happens, `limit` at most. False: there is
    /// none.
    func moveTime(to limit: Int64? = nil) -> Bool {
        var next = alarms.next ?? .max
        for loop in loops where loop.isFree(waiting) {
            if let deadline = loop.loop.nextDeadline { next = min(next, sinceBeginning(deadline)) }
        }
        next = min(next, limit ?? .max)
        if next == .max { return false }
        if next > time {
            time = next
            firstStepNow = step
            timeline.mix(UInt64(time))
            for loop in loops { loop.loop.setTime(now) }
            showTime()
        }
        while let alarm = alarms.take(by: time) { goOff(alarm) }
        return true
    }

    /// Lets the thread's clocks show the world's time.
    func showTime() {
        let here = swivel_sim_here()
        here.pointee.monotonic_ns = Self.beginning + time
        here.pointee.wall_ns = Self.wallBeginning + time + wallOffset
    }

    private func goOff(_ item: Item) {
        switch item.kind {
        case .job, .closure: queue(item)
        case .call: Closure.take(item.word)()
        case .sleep:
            let sleeper = members[item.member]
            guard sleeper.sleep == item.order else { return }
            member = item.member
            wake(sleeper, .wakes)
        }
    }
}
#endif
