// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// The state of a ``Coalescer``: which run is pending, when it is due, and who waits for it.
///
/// Calls make a series, which ends when its run starts. Instants are nanoseconds on one clock.
struct CoalescerState {
    typealias Waiting = UnsafeContinuation<Void, Never>

    let delay: UInt64
    /// `nil`: no limit.
    let maxWait: UInt64?
    var timer = SurvivingTimer()
    /// The number of the latest series. No other series ever has it.
    private(set) var series: UInt64 = 0
    private(set) var isPending = false
    /// The instant of the series' first call.
    private var first: UInt64 = 0
    /// The latest instant that a call of the series has asked for.
    private var wanted: UInt64 = 0
    /// A closure for this series is on its way to the context: the run decides there.
    private var isOnItsWay = false
    private var isFlushed = false
    /// The series whose runs are under way. Only a concurrent context has several.
    private var running: [UInt64] = []
    private var waiters: [(id: UInt64, series: [UInt64], task: Waiting)] = []
    private var lastWaiter: UInt64 = 0

    init(delay: UInt64, maxWait: UInt64?) {
        self.delay = delay
        self.maxWait = maxWait
    }

    /// The instant at which the pending run is due.
    var due: UInt64 { isFlushed ? 0 : due(first: first, wanted: wanted) }

    private func due(first: UInt64, wanted: UInt64) -> UInt64 {
        min(wanted, maxWait.map { swivel__saturating_add(first, $0) } ?? .max)
    }

    /// Joins the pending series, or begins one. False: the timer refuses, and nothing has changed.
    mutating func call(now: UInt64) -> Bool {
        let asked = swivel__saturating_add(now, delay)
        guard isPending else {
            guard timer.arm(at: due(first: now, wanted: asked)) else { return false }
            series += 1
            (isPending, isOnItsWay, isFlushed) = (true, false, false)
            (first, wanted) = (now, asked)
            return true
        }
        // The clocks of two threads may differ a little.
        let latest = max(wanted, asked)
        guard isOnItsWay || timer.arm(at: due(first: first, wanted: latest)) else { return false }
        wanted = latest
        return true
    }

    /// The next step of the timer's closure.
    enum Decision {
        case nothing
        /// The series has begun to run.
        case run(UInt64)
        /// The series goes to the context.
        case hand(UInt64)
    }

    /// The timer has fired.
    mutating func fire(now: UInt64, onLoop: Bool) -> Decision {
        guard isPending, !isOnItsWay else { return .nothing }
        if due > now {
            _ = timer.arm(at: due)
            return .nothing
        }
        if onLoop {
            begin()
            return .run(series)
        }
        isOnItsWay = true
        return .hand(series)
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
        begin()
        return true
    }

    private mutating func begin() {
        isPending = false
        running.append(series)
    }

    /// Makes the pending run due now. Returns its series if the caller is to send it to the context:
    /// nobody else has.
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

    /// Keeps a task until the pending run and those under way have ended. False: there is none.
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
