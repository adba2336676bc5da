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
    let settings: Settings
    /// Whose run it is; see ``World/owner``.
    let owner = World.owner
    /// Nanoseconds since the beginning.
    @exclusivity(unchecked) private(set) var time: Int64 = 0
    @exclusivity(unchecked) private(set) var step = 0
    /// The first step at the present instant.
    @exclusivity(unchecked) private var firstStepNow = 0
    /// By how much the wall clock was set.
    @exclusivity(unchecked) private var wallOffset: Int64 = 0
    @exclusivity(unchecked) var cast = Cast()
    @exclusivity(unchecked) var timeline = Timeline()
    @exclusivity(unchecked) private var chooser: Chooser
    /// For faults, so that they do not change the order.
    @exclusivity(unchecked) var chance: SplitMix64
    @exclusivity(unchecked) private var alarms = Alarms()
    /// Items that could take a step on any thread.
    @exclusivity(unchecked) private var ready = Items()
    /// The serial places, by number; the first is not one.
    @exclusivity(unchecked) private var lanes = [Lane(), Lane()]
    /// How many items they have.
    @exclusivity(unchecked) private var inLanes = 0
    private var laneNumbers: [SimulatedPlace: Int] = [:]
    private var placeNumbers: [SimulatedPlace: Int] = [:]
    @exclusivity(unchecked) var loops: [WorldLoop] = []
    @exclusivity(unchecked) private var order: UInt64 = 0
    /// Where the present step runs, and whose it is.
    @exclusivity(unchecked) private(set) var lane = poolLane
    @exclusivity(unchecked) private(set) var member = 0
    /// The suspensions until one is a cancel; negative: there is none.
    @exclusivity(unchecked) private var suspensionsToCancel = -1
    private(set) var hasCancelled = false
    /// The body has ended.
    @exclusivity(unchecked) var isFinished = false
    /// The run has ended: nothing takes a step any more.
    @exclusivity(unchecked) private(set) var isOver = false
    var escapes: [String] = []
    lazy var shared = ownLoop("swivel.shared")
    lazy var main = ownLoop("swivel.main")
    private(set) lazy var network = SimulatedNetwork(self)
    let executor = WorldExecutor()
    /// The loop in whose closure the innermost wait is.
    var waiting: Loop?
    /// The number of the latest sleep.
    @exclusivity(unchecked) var sleeps: UInt = 0

    init(seed: UInt64, _ settings: Settings) {
        self.seed = seed
        self.settings = settings
        chooser = Chooser(settings.strategy, seed: seed)
        chance = SplitMix64(seed: seed ^ 0x5EED)
        if settings.isCancelling {
            // As likely among the first few as among the first thousand.
            suspensionsToCancel = Int(chance.next() % (1 << (chance.next() % 11)))
        }
    }

    deinit { cast.free() }

    var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Whether the calling thread runs this world.
    var isHere: Bool { swivel_sim_here().pointee.world == address }

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
        let before = (self.lane, member)
        (self.lane, member) = (lane, number)
        // A wait on the main queue runs the main queue; one on another queue holds it up.
        let isBusy = lanes[lane].isBusy
        lanes[lane].isBusy = lane > Self.mainLane
        timeline.add(.runs, number, step, time)
        cast[number].pointee.state = .running
        work()
        lanes[lane].isBusy = isBusy
        (self.lane, member) = before
        let state = cast[number]
        if state.pointee.task == nil { return }
        if cast.ends(number) {
            timeline.add(.ends, number, step, time)
        } else if state.pointee.state == .running {
            state.pointee.state = .waiting
            state.pointee.since = time
            if number != 0, hasFaults { suspended(number) }
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
            let sleeper = cast[item.member]
            guard sleeper.pointee.sleep == item.word else { return }
            sleeper.pointee.sleep = 0
            sleeper.pointee.since = time
            member = item.member
            timeline.add(.wakes, item.member, step, time)
            WakeJob.run(Self.job(sleeper.pointee.wake))
        }
    }

    // MARK: Work

    static func job(_ word: UInt) -> UnownedJob { unsafeBitCast(word, to: UnownedJob.self) }

    func nextOrder() -> UInt64 {
        order += 1
        return order
    }

    /// Makes work able to take a step, maybe after a delay.
    func add(_ kind: Item.Kind, _ word: UInt, of member: Int, in lane: Int) {
        let order = nextOrder()
        var item = Item(kind: kind, member: member, lane: lane, word: word, order: order)
        if settings.longestDelay > 0, lane == Self.poolLane, chance.next() % 2 == 0 {
            item.instant = time + Int64(chance.next() % UInt64(settings.longestDelay))
            alarms.set(item)
        } else {
            queue(item)
        }
    }

    /// Has something happen at an instant.
    func set(_ kind: Item.Kind, _ word: UInt, of member: Int, at instant: Int64) {
        alarms.set(
            Item(
                kind: kind, member: member, lane: Self.poolLane, word: word, order: nextOrder(),
                instant: instant))
    }

    private func queue(_ item: Item) {
        if item.lane == Self.poolLane { return ready.append(item) }
        lanes[item.lane].append(item)
        inLanes += 1
    }

    /// The lane of a place.
    func lane(of place: SimulatedPlace) -> Int {
        if place == .pool { return Self.poolLane }
        if place == .main { return Self.mainLane }
        if let known = laneNumbers[place] { return known }
        lanes.append(Lane())
        laneNumbers[place] = lanes.count - 1
        return lanes.count - 1
    }

    /// The member that takes the steps of a place's closures.
    func member(at place: SimulatedPlace) -> Int {
        if let known = placeNumbers[place] { return known }
        let name =
            switch place {
            case .pool: "pool"
            case .main: "main"
            case .serial: "queue \(placeNumbers.count)"
            }
        let number = cast.add(name)
        placeNumbers[place] = number
        return number
    }

    // MARK: Faults

    private var hasFaults: Bool { suspensionsToCancel >= 0 || settings.longestJump > 0 }

    /// A task has suspended.
    private func suspended(_ number: Int) {
        if settings.longestJump > 0, chance.next() % 16 == 0 {
            let length = Int64(chance.next() % UInt64(settings.longestJump))
            wallOffset += chance.next() % 2 == 0 ? length : -length
            timeline.add(.clockIsSet, number, step, time, wallOffset)
            showTime()
        }
        if suspensionsToCancel < 0 { return }
        suspensionsToCancel -= 1
        guard suspensionsToCancel < 0, let task = cast[number].pointee.task else { return }
        hasCancelled = true
        timeline.add(.isCancelled, number, step, time)
        swivel_sim_cancel(task)
    }

    // MARK: The end

    /// Ends the run. The world's tasks take no more steps, but for those that are inside an actor
    /// now: others may wait for that actor, so its turn goes on outside.
    func end() {
        isOver = true
        for arrival in executor.takeArrivals(atEnd: true) { WorldExecutor.leave(arrival.job) }
        network.end()
        while ready.count > 0 { leave(ready.take(0)) }
        for lane in lanes.indices {
            while !lanes[lane].isEmpty { leave(lanes[lane].removeFirst()) }
            lanes[lane].free()
        }
        while alarms.count > 0 { leave(alarms.takeFirst()) }
        ready.free()
        alarms.free()
        for loop in loops where loop.loop.refusal == nil { loop.loop.shutdown() }
        loops = []
    }

    private func leave(_ item: Item) {
        switch item.kind {
        case .job: WorldExecutor.leave(Self.job(item.word))
        case .closure, .call: _ = Closure.take(item.word)
        case .sleep: break
        }
    }

    /// The tasks that have not ended, and the jobs that would end their sleeps. They never go on,
    /// and are kept.
    var remains: [UInt] {
        cast.tasks.flatMap { number -> [UInt] in
            let member = cast[number].pointee
            return [member.task.map { UInt(bitPattern: $0) } ?? 0, member.wake]
        }
    }
}
#endif
