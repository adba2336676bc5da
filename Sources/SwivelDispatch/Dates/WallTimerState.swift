// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// The life of a wall timer: decided here, under the timer's lock, and acted upon after it.
///
/// The timer's closure lies here, and who takes it out decides between fire and cancel. What the
/// context has armed, the carrier, only keeps the time: first a one-shot that waits for the target,
/// then, for a repeating timer, a repeat. A carrier that fires too early, or twice, does no harm.
struct WallTimerState {
    enum Work {
        case once(@Sendable () -> Void)
        case tick(@Sendable (Tick) -> Void)
    }

    private enum Phase {
        /// A one-shot of the context waits for the target.
        case waiting
        /// A repeat of the context keeps the time, and no tick is under way.
        case ticking
        /// The closure is under way for a tick; for the last one, if it was cancelled meanwhile.
        case inTick(isLast: Bool)
        /// The one-shot's closure is under way.
        case running
        case over
    }

    /// What is left of a timer that is over.
    struct Remains {
        var carrier: TimerHandle?
        var work: Work?
        var watchers: [@Sendable () -> Void] = []
    }

    private var phase = Phase.waiting
    private var work: Work?
    private var target: WallTarget
    private let longestSleep: Duration
    /// Called when a closure that is under way has ended and was released.
    private var watchers: [@Sendable () -> Void] = []

    private var carrier: TimerHandle?
    /// The instant at which the carrier is meant to fire first.
    private var planned = LoopClock.Instant.never
    /// Counts the wishes to have the carrier moved.
    private var version = 0
    /// One thread moves the carrier, outside the lock.
    private var isPlacing = false

    init(_ target: WallTarget, longestSleep: Duration?, _ work: Work) {
        self.target = target
        self.longestSleep = longestSleep ?? .seconds(Int64.max)
        self.work = work
    }

    private var isRepeat: Bool {
        switch phase {
        case .ticking, .inTick: true
        case .waiting, .running, .over: false
        }
    }

    /// Whether the closure will run (again) unless the timer is cancelled.
    var isPending: Bool {
        switch phase {
        case .waiting, .ticking, .inTick(isLast: false): true
        case .inTick(isLast: true), .running, .over: false
        }
    }

    /// Whether a step of the wall clock changes the time that is left.
    var waitsForDate: Bool {
        switch (phase, target) {
        case (.waiting, .date): true
        case (.waiting, .instant), (.ticking, _), (.inTick, _), (.running, _), (.over, _): false
        }
    }

    private mutating func end() -> Remains {
        phase = .over
        defer { watchers = [] }
        return Remains(carrier: carrier.take(), work: work.take(), watchers: watchers)
    }
}

// Placing: one thread at a time moves the carrier, until it stands where the last who wished it moved
// wants it.
extension WallTimerState {
    /// What is to be moved, or armed.
    struct Order {
        let carrier: TimerHandle?
        let isRepeat: Bool
        /// The time that is left.
        let delay: Duration
        /// Where a new carrier starts: a grid at its very instant, which has just passed.
        let start: TimerRequest.Start
        fileprivate let version: Int
    }

    enum Placed {
        case done
        /// Not yet: once more, and the old carrier is cancelled if there is one.
        case again(Order, cancel: TimerHandle?)
        /// The timer needs no carrier any more: this one is cancelled.
        case cancel(TimerHandle)
    }

    /// The carrier is to stand at the target. `nil`: there is nothing to do here, because the timer
    /// needs no carrier, or because another thread is at it and will see to this too.
    mutating func beginPlacing(_ times: WallTimes) -> Order? {
        guard isPending else { return nil }
        version += 1
        guard !isPlacing else { return nil }
        isPlacing = true
        return order(times)
    }

    /// `order` was carried out, and `handle` stands there.
    mutating func endPlacing(_ order: Order, _ handle: TimerHandle, _ times: WallTimes) -> Placed {
        guard isPending else {
            isPlacing = false
            return .cancel(handle)
        }
        guard order.isRepeat == isRepeat else {
            return .again(self.order(times), cancel: handle)
        }
        carrier = handle
        guard order.version == version else {
            return .again(self.order(times), cancel: nil)
        }
        isPlacing = false
        return .done
    }

    private mutating func order(_ times: WallTimes) -> Order {
        var delay = max(target.remaining(times), .zero)
        if waitsForDate {
            delay = min(delay, longestSleep)
        }
        if !isRepeat {
            planned = times.context.advanced(by: delay)
        }
        return Order(
            carrier: carrier, isRepeat: isRepeat, delay: delay,
            start: isRepeat ? .at(target.instant(times)) : .after(delay), version: version)
    }
}

// Firing: called by the carrier, on the context.
extension WallTimerState {
    enum Fire {
        case nothing
        /// The target has not come yet.
        case wait
        /// The closure is the caller's to run. The carrier goes, if it is another one.
        case run(@Sendable () -> Void, TimerHandle?)
        /// A repeat takes the one-shot's place.
        case `repeat`(TimerHandle?)
    }

    /// The one-shot fired.
    mutating func fire(_ times: WallTimes) -> Fire {
        guard case .waiting = phase else { return .nothing }
        guard target.isReached(times) else { return .wait }
        switch work {
        case .once(let run):
            work = nil
            phase = .running
            return .run(run, carrier.take())
        case .tick:
            // The grid starts where the target lies on the context's clock; after a step it starts
            // at the step, and no tick counts as missed.
            let start = max(target.instant(times), planned)
            target = .instant(min(start, times.context))
            phase = .ticking
            return .repeat(carrier.take())
        case nil:
            return .nothing
        }
    }

    /// The one-shot's closure has returned, and was released.
    mutating func endRun() -> Remains { end() }

    /// A tick starts. The closure is the caller's to run.
    mutating func beginTick() -> (@Sendable (Tick) -> Void)? {
        guard case .ticking = phase, case .tick(let run) = work else { return nil }
        phase = .inTick(isLast: false)
        return run
    }

    /// The tick has ended. Returns what is left of the timer, if it was the last.
    mutating func endTick() -> Remains? {
        guard case .inTick(let isLast) = phase else { return nil }
        phase = .ticking
        return isLast ? end() : nil
    }

    /// A carrier was released without having fired: the context is over, or has dropped it.
    mutating func drop(isRepeat: Bool) -> Remains? {
        switch phase {
        case .waiting: isRepeat ? nil : end()
        case .ticking: isRepeat ? end() : nil
        case .inTick, .running, .over: nil
        }
    }
}

// What the handle asks for.
extension WallTimerState {
    /// What a cancel comes to. After ``CancelResult/running`` the carrier alone is to be cancelled.
    mutating func cancel() -> (CancelResult, Remains?, carrier: TimerHandle?) {
        switch phase {
        case .waiting, .ticking:
            return (.cancelled, end(), nil)
        case .inTick:
            phase = .inTick(isLast: true)
            return (.running, nil, carrier.take())
        case .running:
            return (.running, nil, nil)
        case .over:
            return (.finished, nil, nil)
        }
    }

    /// False: it is over, or its one-shot closure is running.
    mutating func rearm(at deadline: LoopClock.Instant) -> Bool {
        guard isPending else { return false }
        target = .instant(deadline)
        return true
    }

    /// False: no closure is under way.
    mutating func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        switch phase {
        case .inTick, .running:
            watchers.append(body)
            return true
        case .waiting, .ticking, .over:
            return false
        }
    }
}
