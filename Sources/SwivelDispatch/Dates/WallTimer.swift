// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// One timer that waits for a date.
final class WallTimer: Sendable {
    /// What repeats after the date.
    private enum Cycle {
        case every(Duration, missed: MissedTicks, jitter: ClosedRange<Double>?)
        case afterCompletion(Duration)
    }

    let id: UInt64
    private let handle: TimerHandle
    private let table: WallTable
    private let context: any ExecutionContext
    private let leeway: Duration
    /// `nil` for a one-shot.
    private let cycle: Cycle?
    private let state: Lock<WallTimerState>

    /// A timer whose time nobody keeps before ``place()``.
    init(
        _ id: UInt64, _ handle: TimerHandle, _ table: WallTable,
        _ context: any ExecutionContext, _ target: WallTarget, leeway: Duration,
        _ body: TimerRequest.Body
    ) {
        self.id = id
        self.handle = handle
        self.table = table
        self.context = context
        let work: WallTimerState.Work
        switch body {
        case .once(let run):
            cycle = nil
            self.leeway = leeway
            work = .once(run)
        case .every(let interval, let missed, let jitter, let run):
            cycle = .every(interval, missed: missed, jitter: jitter)
            // The first one's too: the grid starts at the date, however late it is noticed.
            self.leeway = min(leeway, interval / 2)
            work = .tick(run)
        case .afterCompletion(let delay, let run):
            cycle = .afterCompletion(delay)
            self.leeway = leeway
            work = .tick(run)
        }
        state = Lock(WallTimerState(target, longestSleep: table.clock.longestSleep, work))
    }

    private var times: WallTimes { WallTimes(table.clock, context) }
}

// What the handle asks for.
extension WallTimer {
    var isPending: Bool { state.withLock { $0.isPending } }

    func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { $0.watch(body) }
    }

    func cancel() -> CancelResult {
        var result = CancelResult.finished
        var carrier: TimerHandle?
        bury { state in
            let (answer, remains, stopped) = state.cancel()
            result = answer
            carrier = stopped
            return remains
        }
        carrier?.cancel()
        return result
    }

    func rearm(after delay: Duration) -> Bool {
        let deadline = times.context.advanced(by: delay)
        guard state.withLock({ $0.rearm(at: deadline) }) else { return false }
        place()
        return true
    }
}

// Keeping the time.
extension WallTimer {
    /// The wall clock was set.
    func clockWasSet() {
        if state.withLock({ $0.waitsForDate }) { place() }
    }

    /// Has the context keep the time that is left.
    func place() {
        let times = times
        guard var order = state.withLock({ $0.beginPlacing(times) }) else { return }
        while true {
            let handle = carryOut(order)
            let times = self.times
            switch state.withLock({ $0.endPlacing(order, handle, times) }) {
            case .done:
                return
            case .again(let next, let old):
                old?.cancel()
                order = next
            case .cancel(let handle):
                handle.cancel()
                return
            }
        }
    }

    private func carryOut(_ order: WallTimerState.Order) -> TimerHandle {
        if let carrier = order.carrier, carrier.rearm(after: order.delay) {
            return carrier
        }
        let pass = Pass(self, isRepeat: order.isRepeat)
        let body: TimerRequest.Body
        switch cycle {
        case .every(let interval, let missed, let jitter) where order.isRepeat:
            body = .every(interval, missed: missed, jitter: jitter) { pass.tick($0) }
        case .afterCompletion(let delay) where order.isRepeat:
            body = .afterCompletion(delay) { pass.tick($0) }
        case .every, .afterCompletion, nil:
            body = .once { pass.fire() }
        }
        return context.arm(TimerRequest(order.start, leeway: leeway, body))
    }
}

// On the context.
extension WallTimer {
    /// The one-shot that waits for the target fired.
    fileprivate func fire() {
        // The closure is released with `run`'s frame, before the end is told.
        if run() {
            bury { $0.endRun() }
        }
    }

    private func run() -> Bool {
        let times = times
        switch state.withLock({ $0.fire(times) }) {
        case .nothing:
            return false
        case .wait:
            place()
            return false
        case .repeat(let carrier):
            carrier?.cancel()
            place()
            return false
        case .run(let work, let carrier):
            carrier?.cancel()
            work()
            return true
        }
    }

    fileprivate func tick(_ tick: Tick) {
        if run(tick) {
            bury { $0.endTick() }
        }
    }

    private func run(_ tick: Tick) -> Bool {
        guard let work = state.withLock({ $0.beginTick() }) else { return false }
        work(
            Tick(
                index: tick.index, scheduled: tick.scheduled, lateness: tick.lateness,
                missed: tick.missed, handle: handle))
        return true
    }

    /// A carrier's closure was released without having fired.
    ///
    /// Not inlined: Swift 6.3 leaves releases out of an optimized `deinit` beside an `Atomic`.
    @inline(never)
    fileprivate func drop(isRepeat: Bool) {
        bury { $0.drop(isRepeat: isRepeat) }
    }

    /// If the timer is over by that: forgets it, releases its closure, then tells those who wait
    /// for the closure's end.
    private func bury(_ decide: (inout WallTimerState) -> WallTimerState.Remains?) {
        // The only reference to the closure, so that it goes where it is let go here.
        var remains = state.withLock { decide(&$0) }
        guard remains != nil else { return }
        table.remove(id)
        remains?.carrier?.cancel()
        remains?.work = nil
        remains?.watchers.forEach { $0() }
    }
}

/// What a carrier's closure holds: it notices when it is released without having fired.
private final class Pass: Sendable {
    private let timer: WallTimer
    private let isRepeat: Bool
    private let isUsed = Atomic(false)

    init(_ timer: WallTimer, isRepeat: Bool) {
        self.timer = timer
        self.isRepeat = isRepeat
    }

    deinit {
        if !isUsed.load(ordering: .relaxed) {
            timer.drop(isRepeat: isRepeat)
        }
    }

    func fire() {
        isUsed.store(true, ordering: .relaxed)
        timer.fire()
    }

    func tick(_ tick: Tick) {
        timer.tick(tick)
    }
}
