// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) internal import _Concurrency
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// One run of a seed: a world, and the thread that takes its steps.
///
/// A step is one job of a task or an actor, one closure of a queue or a pool, or one turn of a
/// loop. Items in ``ready``, the first of each lane, and loops with work could take a step; the
/// strategy chooses one. Time stands still while there is any, and moves to the next alarm or
/// deadline of a loop when there is none.
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
    @exclusivity(unchecked) var ready: [Item] = []
    /// The serial places, by number; the first is not one.
    @exclusivity(unchecked) var lanes = [Lane(), Lane()]
    /// How many items they have.
    @exclusivity(unchecked) var inLanes = 0
    /// The lane of each place that was used, and the member that takes its steps.
    var places: [SimulatedPlace: (lane: Int, member: Int)] = [:]
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
    private(set) lazy var sharedLoop = ownLoop("swivel.shared")
    private(set) lazy var mainLoop = ownLoop("swivel.main")
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
        let heads = inLanes > 0 || !loops.isEmpty ? heads() : []
        let count = ready.count + heads.count
        if count == 0 { return false }
        let index = chooser.choose(among: count, at: step) {
            $0 < ready.count ? ready[$0] : heads[$0 - ready.count]
        }
        timeline.mix(UInt64(truncatingIfNeeded: count << 32 | index))
        step += 1
        perform(index < ready.count ? ready.take(index) : heads[index - ready.count])
        return true
    }

    /// Runs a step. One that waits has others inside of it.
    private func perform(_ item: Item) {
        let before = (lane, member)
        (lane, member) = (item.lane, item.member)
        if lane != Self.poolLane {
            lanes[item.lane].items.removeFirst()
            inLanes -= 1
            // A wait on the main queue runs the main queue; one on another queue holds it up, so
            // that no other step of it begins.
            lanes[item.lane].isBusy = lane != Self.mainLane
        }
        timeline.add(.runs, member, step, time)
        let member = members[item.member]
        member.state = .running
        run(item)
        if item.lane != Self.poolLane { lanes[item.lane].isBusy = false }
        (lane, self.member) = before
        if !member.isTask { return }
        if member.ends() {
            timeline.add(.ends, member.number, step, time)
        } else if member.state == .running {
            member.state = .waiting
            member.since = time
            if member.number != 0 { suspended(member) }
        }
    }

    private func run(_ item: Item) {
        switch item.kind {
        case .closure, .call: Closure.take(item.word)()
        case .turn: loops[Int(item.word)].takeTurn(in: self)
        case .job where item.lane == Self.mainLane:
            let main = MainRouter.shared.asUnownedSerialExecutor()
            Self.job(item.word).runSynchronously(on: main)
        case .job, .sleep: WakeJob.run(Self.job(item.word))
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
        case .job, .closure, .turn: queue(item)
        case .call: run(item)
        case .sleep:
            let sleeper = members[item.member]
            guard sleeper.sleep == item.order else { return }
            member = item.member
            wake(sleeper, .wakes)
        }
    }
}
#endif
