// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import SwivelCore

/// A timer that waits for a date.
///
/// While it waits, an alarm on a loop fires when the date should have come, and reads the wall
/// clock: if the date has not come, the alarm is set again. A step of the clock moves the alarm.
/// Once the date has come, the closure and the handle's requests go to a timer of the context's
/// that is due.
final class WallTimer: TableTimer {
    private struct Wait {
        let request: TimerRequest
        let alarm: LoopTimer
        /// `nil`: ``TimerHandle/rearm(after:)`` has replaced it by an instant.
        var date: Date?
        /// The instant of the alarm.
        var planned = LoopClock.Instant.never
    }

    private struct State {
        /// `nil` once the date has come, or the timer is over.
        var wait: Wait?
        /// The context's own timer, once the date has come.
        var timer = TimerHandle.refused
    }

    private let clock: WallClock
    private let context: any ExecutionContext
    /// Keeps the time: the context, or what keeps the time of all other contexts.
    private let loop: Loop
    private let leeway: Duration
    private let repeats: Bool
    private let state: Lock<State>

    /// A timer whose alarm is not set. If it `repeats`, it is one of a series.
    init(
        _ date: Date, _ request: TimerRequest, on context: any ExecutionContext,
        repeats: Bool, _ clock: WallClock, _ entry: WallEntry
    ) {
        self.clock = clock
        self.context = context
        self.repeats = repeats
        loop = (context as? Loop) ?? .shared
        var leeway = request.leeway
        if case .every(let interval, _, _, _) = request.body { leeway = min(leeway, interval / 2) }
        self.leeway = leeway
        // The closure of the context's own timer counts. Where time is virtual, the system's date
        // does not come with it, but in a simulated world.
        let isTimeless = loop.manual != nil && clock.isSystem && Simulated.world == nil
        let alarm = LoopTimer(
            on: loop, label: request.label ?? "Date", isTimeless: isTimeless,
            deciding: { _ in (entry.table.find(entry.id) as? WallTimer)?.check(entry) })
        state = Lock(State(wait: Wait(request: request, alarm: alarm, date: date)))
    }

    /// The time that is left; zero or less if the timer is due.
    private func remaining(_ wait: Wait, _ now: LoopClock.Instant) -> Duration {
        // A loop that drains stops repeats.
        if repeats, loop.refusal != nil { return .seconds(1e11) }
        guard let date = wait.date else { return now.duration(to: wait.planned) }
        // Beyond 10^11 s no loop's clock has an instant, and sums saturate.
        return .seconds(min(max(date.timeIntervalSince(clock.now()), -1e11), 1e11))
    }

    /// Sets the alarm to where the date lies by now. False: the loop refuses. Called under the
    /// lock, so that of several threads the last one decides. Arming runs and releases no closure,
    /// and on the loop's own thread it does not wait.
    private func arm(_ wait: inout Wait) -> Bool {
        if wait.date != nil {
            let now = loop.now
            let left = max(remaining(wait, now), .zero)
            // A loop that ends keeps no other instants than dates.
            let longest = loop.refusal == nil ? clock.longestSleep : nil
            wait.planned = now.advanced(by: min(left, longest ?? left))
        }
        return wait.alarm.arm(at: wait.planned, leeway: leeway)
    }

    /// Sets the alarm, also when the wall clock was set. False: the loop refuses.
    @discardableResult
    func setAlarm() -> Bool {
        state.withLock { state in
            guard var wait = state.wait else { return true }
            defer { state.wait = wait }
            return arm(&wait)
        }
    }

    /// The alarm fired. **Thread:** the loop's.
    private func check(_ entry: WallEntry) {
        // A closure that is not the context's timer's, or not any more, is released after the lock.
        _ = state.withLock { state -> TimerRequest? in
            guard var wait = state.wait else { return nil }
            let now = loop.now
            let remaining = remaining(wait, now)
            guard remaining <= .zero else {
                _ = arm(&wait)
                state.wait = wait
                return nil
            }
            // A grid begins where the date lies on the loop's clock, however late this check is.
            // After a step it begins at the step, and no tick counts as missed.
            let start = min(now, max(wait.planned, now.advanced(by: remaining)))
            // Under the lock, so that a cancel finds the closure either here or in that timer.
            state.timer = context.arm(wait.request.due(entry, at: start))
            state.wait = nil
            return state.timer.isPending ? nil : wait.request
        }
    }
}

// The handle's operations.
extension WallTimer {
    /// The context's own timer; `nil` while this one waits.
    private var timer: TimerHandle? { state.withLock { $0.wait == nil ? $0.timer : nil } }

    var isPending: Bool { timer?.isPending ?? true }

    func cancel() -> CancelResult {
        // The only reference to the closure of a timer that waits: it is released with this frame.
        let (wait, timer) = state.withLock { ($0.wait.take(), $0.timer) }
        return wait == nil ? timer.cancel() : .cancelled
    }

    func rearm(after delay: Duration) -> Bool {
        state.withLock { state in
            state.wait?.date = nil
            state.wait?.planned = loop.now.advanced(by: max(delay, .zero))
        }
        return timer?.rearm(after: delay) ?? setAlarm()
    }

    func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let timer else { return false }
        EndWatch.shared.wait(for: timer, body)
        return true
    }
}

/// A closure whose date has come. It is released before the table forgets its timer, so that a
/// caller that waits for the timer's end waits for it.
final class Due<Run>: @unchecked Sendable {
    // because nothing writes the closure before the last reference is gone.
    private(set) var run: Run?
    let entry: WallEntry

    init(_ run: Run, _ entry: WallEntry) {
        self.run = run
        self.entry = entry
    }

    deinit { run = nil }
}

extension TimerRequest {
    /// The request that the context gets once the date has come.
    fileprivate func due(_ entry: WallEntry, at start: LoopClock.Instant) -> TimerRequest {
        var request = self
        request.start = .at(start)
        // The alarm has made use of it.
        if case .once = body { request.leeway = .zero }
        request.body = body.with(
            once: { run in
                let due = Due(run, entry)
                return { due.run?() }
            },
            tick: { run in
                let due = Due(run, entry)
                return { due.run?($0.with(due.entry.handle)) }
            })
        return request
    }
}
