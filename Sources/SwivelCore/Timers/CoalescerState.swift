// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The state of a ``Coalescer``, a ``Debouncer`` or a ``Throttle``: which run is pending, when it
/// is due, and which tasks wait for it. Calls make a series, which ends when its run starts.
/// Instants are nanoseconds.
struct CoalescerState {
    typealias Waiting = UnsafeContinuation<Void, Never>
    typealias Value = any AnyObject & Sendable

    /// When the run of a series is due.
    enum Rule {
        /// After a pause in the calls; at the latest `maxWait` after the first call. A later call
        /// within the grain of the one before does not move the run.
        case pause(UInt64, maxWait: UInt64?, grain: UInt64)
        /// At this distance from the start of the run before.
        case distance(UInt64, Throttle.Edges)
    }

    let rule: Rule
    var timer = CheckTimer()
    /// The number of the latest series. No other series ever has it.
    private(set) var series: UInt64 = 0
    private(set) var isPending = false
    /// The argument of the pending run; `nil` if none is pending. The core takes it when the
    /// run begins or is dropped.
    var value: Value?
    /// The instant of the series' first call.
    private var first: UInt64 = 0
    /// The latest instant that a call of the series has asked for.
    private var wanted: UInt64 = 0
    /// Until then `wanted` is not before what a call asks for: in ticks, which come no later.
    private var coveredUntil: UInt64 = 0
    /// The next run of a throttle starts no earlier.
    private var free: UInt64 = 0
    /// A closure for this series is on its way to the context: the run decides there.
    private var isOnItsWay = false
    private var isFlushed = false
    /// The series whose runs have begun. Only a concurrent context has several.
    private var running: [UInt64] = []
    private var waiters: [(id: UInt64, series: [UInt64], task: Waiting)] = []
    private var lastWaiter: UInt64 = 0

    init(_ rule: Rule) { self.rule = rule }

    /// The instant at which the pending run is due.
    private var due: UInt64 { isFlushed ? 0 : due(first: first, wanted: wanted) }

    private func due(first: UInt64, wanted: UInt64) -> UInt64 {
        guard case .pause(_, let maxWait?, _) = rule else { return wanted }
        return min(wanted, swivel__saturating_add(first, maxWait))
    }

    /// Calls before this count of ticks change nothing. 0: each call does.
    var covered: UInt64 {
        if case .distance = rule { return isPending ? .max : 0 }
        return isPending ? coveredUntil : 0
    }

    /// The instant at which a call made now asks for a run, except for a limit.
    func asked(now: UInt64) -> UInt64 {
        switch rule {
        case .pause(let delay, _, _): swivel__saturating_add(now, delay)
        case .distance(_, .trailing) where now < free: free
        case .distance(let interval, .trailing): swivel__saturating_add(now, interval)
        case .distance: max(now, free)
        }
    }

    /// Joins the pending series, or begins one. False: the timer refuses, and nothing has changed.
    mutating func call(now: UInt64, ticks: UInt64) -> Bool {
        let requested = asked(now: now)
        var asked = requested
        switch rule {
        case .distance(_, let edges):
            if isPending || edges == .leading && now < free { return !timer.isOver }
        case .pause(_, _, let grain):
            // The clocks of two threads may differ a little.
            if isPending { asked = max(wanted, swivel__saturating_add(asked, grain)) }
        }
        let first = isPending ? self.first : now
        let isLeft = isPending && isOnItsWay
        guard isLeft || timer.arm(at: due(first: first, wanted: asked)) else { return false }
        if !isPending {
            series += 1
            (isPending, isOnItsWay, isFlushed) = (true, false, false)
        }
        (self.first, wanted, coveredUntil) = (first, asked, ticks &+ (asked - requested))
        return true
    }

    /// The timer has fired, in a turn that began at `turn`. Returns the series that begins to run
    /// if the work runs on the loop, and else goes to its context.
    mutating func fire(turn: UInt64, now: UInt64, onLoop: Bool) -> UInt64? {
        guard isPending, !isOnItsWay else { return nil }
        if due > turn {
            _ = timer.arm(at: due)
            return nil
        }
        if onLoop { begin(now: now) } else { isOnItsWay = true }
        return series
    }

    /// A closure of the series starts on its context. Returns whether it is to run the work: calls
    /// that came while it was on its way put the run off, within the limit.
    mutating func start(_ number: UInt64, now: UInt64) -> Bool {
        guard isPending, series == number else { return false }
        if due > now {
            isOnItsWay = false
            _ = timer.arm(at: due)
            return false
        }
        begin(now: now)
        return true
    }

    private mutating func begin(now: UInt64) {
        isPending = false
        // From the start of this run on, which may be late.
        if case .distance(let interval, _) = rule { free = swivel__saturating_add(now, interval) }
        running.append(series)
    }

    /// Makes the pending run due now. Returns its series if the caller is to send it to the
    /// context: no other thread has.
    mutating func flush() -> UInt64? {
        guard isPending, !isFlushed else { return nil }
        isFlushed = true
        timer.disarm()
        if isOnItsWay { return nil }
        isOnItsWay = true
        return series
    }

    /// Drops the pending run: that of this series if one is given. Returns the tasks that wait for
    /// nothing else; `nil`: no such run was pending.
    mutating func drop(_ number: UInt64? = nil) -> [Waiting]? {
        guard isPending, number == nil || number == series else { return nil }
        isPending = false
        timer.disarm()
        return resolve(series)
    }

    /// A run has ended. Returns the tasks that wait for nothing else.
    mutating func end(_ number: UInt64) -> [Waiting] {
        if let index = running.firstIndex(of: number) { running.remove(at: index) }
        return resolve(number)
    }

    private mutating func resolve(_ number: UInt64) -> [Waiting] {
        guard !waiters.isEmpty else { return [] }
        for index in waiters.indices { waiters[index].series.removeAll { $0 == number } }
        defer { waiters.removeAll { $0.series.isEmpty } }
        return waiters.filter { $0.series.isEmpty }.map(\.task)
    }
}

// Tasks that wait.
extension CoalescerState {
    /// A number for a task that is going to wait.
    mutating func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Keeps a task until the pending run and those that have begun have ended. False: there is
    /// none.
    mutating func wait(_ id: UInt64, _ task: Waiting) -> Bool {
        let series = running + (isPending ? [self.series] : [])
        if !series.isEmpty { waiters.append((id, series, task)) }
        return !series.isEmpty
    }

    /// Gives a task up. Returns it if it waits.
    mutating func leave(_ id: UInt64) -> Waiting? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index).task
    }
}
