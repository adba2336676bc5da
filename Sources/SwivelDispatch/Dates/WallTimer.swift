// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import SwivelCore

/// A timer that waits for a date.
///
/// While it waits, an alarm on a loop fires when the date should have come, and looks at the wall
/// clock: if the date has not come, the alarm is set again. A step of the clock moves the alarm. Once
/// the date has come, the closure goes to the context as a timer that is due, and what the handle
/// asks for goes to that timer.
final class WallTimer: Sendable {
    private struct Wait {
        let request: TimerRequest
        let alarm: LoopTimer
        var target: Target
        /// The instant of the alarm.
        var planned = LoopClock.Instant.never
        /// Counts the reasons to set the alarm anew.
        var version = 1
    }

    /// The instant that the timer waits for.
    private enum Target {
        case date(Date)
        /// ``TimerHandle/rearm(after:)`` has replaced the date.
        case instant(LoopClock.Instant)
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
    private let state: Lock<State>

    /// A timer whose alarm is not set.
    init(
        _ date: Date, _ request: TimerRequest, on context: any ExecutionContext, _ entry: WallEntry
    ) {
        clock = entry.table.clock
        self.context = context
        loop = (context as? Loop) ?? .shared
        if case .every(let interval, _, _, _) = request.body {
            leeway = min(request.leeway, interval / 2)
        } else {
            leeway = request.leeway
        }
        let alarm = LoopTimer(on: loop) { entry.table.find(entry.id)?.look(entry) }
        state = Lock(State(wait: Wait(request: request, alarm: alarm, target: .date(date))))
    }

    /// The time that is left until `target`; zero or less if it has come.
    private func remaining(_ target: Target, _ now: LoopClock.Instant, _ wall: Date) -> Duration {
        switch target {
        case .date(let date):
            // Beyond 10^11 s no loop's clock has an instant, and sums saturate.
            .seconds(min(max(date.timeIntervalSince(wall), -1e11), 1e11))
        case .instant(let instant):
            now.duration(to: instant)
        }
    }
}

// The handle's operations.
extension WallTimer {
    var isPending: Bool {
        let timer = state.withLock { $0.wait == nil ? $0.timer : nil }
        return timer?.isPending ?? true
    }

    func cancel() -> CancelResult {
        // The only reference to the closure of a timer that waits: it is released with this frame.
        let (wait, timer) = state.withLock { ($0.wait.take(), $0.timer) }
        return wait == nil ? timer.cancel() : .cancelled
    }

    func rearm(after delay: Duration) -> Bool {
        let target = Target.instant(loop.now.advanced(by: delay))
        let timer = state.withLock { state -> TimerHandle? in
            guard state.wait != nil else { return state.timer }
            state.wait?.target = target
            state.wait?.version += 1
            return nil
        }
        return timer?.rearm(after: delay) ?? setAlarm()
    }

    func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        let timer = state.withLock { $0.wait == nil ? $0.timer : nil }
        timer.map { EndWatch.shared.wait(for: $0, body) }
        return timer != nil
    }
}

extension WallTimer {
    /// The wall clock was set.
    func clockWasSet() {
        state.withLock { $0.wait?.version += 1 }
        setAlarm()
    }

    /// Sets the alarm to where the target lies by now. Of several threads that do so at once, the last
    /// one to return has left it where the latest of them wants it. False: the loop refuses.
    @discardableResult
    func setAlarm() -> Bool {
        var (seen, planned) = (0, LoopClock.Instant.never)
        while true {
            // Not the closure: whoever cancels has to be the last to hold it.
            let next = state.withLock { state -> (LoopTimer, Target, version: Int)? in
                guard let wait = state.wait else { return nil }
                guard wait.version != seen else {
                    state.wait?.planned = planned
                    return nil
                }
                return (wait.alarm, wait.target, wait.version)
            }
            guard let (alarm, target, version) = next else { return true }
            // Read after the version, so that what has changed since then counts as a reason.
            let now = loop.now
            var delay = max(remaining(target, now, clock.now()), .zero)
            if case .date = target, let longest = clock.longestSleep { delay = min(delay, longest) }
            (seen, planned) = (version, now.advanced(by: delay))
            guard alarm.arm(at: planned, leeway: leeway) else { return false }
        }
    }

    /// The alarm fired. **Thread:** the loop's.
    private func look(_ entry: WallEntry) {
        let (now, wall) = (loop.now, clock.now())
        let found = state.withLock { state -> (isEarly: Bool, rest: TimerRequest?) in
            guard let wait = state.wait else { return (false, nil) }
            let remaining = remaining(wait.target, now, wall)
            guard remaining <= .zero else {
                state.wait?.version += 1
                return (true, nil)
            }
            // A grid begins where the date lies on the loop's clock, however late this look is. After
            // a step it begins at the step, and no tick counts as missed.
            let start = min(now, max(wait.planned, now.advanced(by: remaining)))
            // Under the lock, so that a cancel finds the closure either here or in that timer. Arming
            // runs no closure, and on the loop's own thread it does not wait.
            state.timer = context.arm(wait.request.due(entry, at: start))
            state.wait = nil
            // A closure that is not that timer's, or not any more, is released after the lock.
            return (false, state.timer.isPending ? nil : wait.request)
        }
        if found.isEarly {
            setAlarm()
        }
    }
}

extension TimerRequest {
    /// The request that the context gets once the date has come. Its closure holds `entry`.
    fileprivate func due(_ entry: WallEntry, at start: LoopClock.Instant) -> TimerRequest {
        var request = self
        request.start = .at(start)
        switch body {
        case .once(let run):
            // The alarm has made use of it.
            request.leeway = .zero
            request.body = .once { withExtendedLifetime(entry) { run() } }
        case .every(let interval, let missed, let jitter, let run):
            request.body = .every(interval, missed: missed, jitter: jitter) { run($0.of(entry)) }
        case .afterCompletion(let delay, let run):
            request.body = .afterCompletion(delay) { run($0.of(entry)) }
        }
        return request
    }
}

extension Tick {
    /// The same tick, with the handle that the program has.
    fileprivate func of(_ entry: WallEntry) -> Tick {
        Tick(
            index: index, scheduled: scheduled, lateness: lateness, missed: missed,
            handle: entry.handle)
    }
}
