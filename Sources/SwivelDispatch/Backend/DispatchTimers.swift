// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// The timers of all ``DispatchBackend``s: who may run a closure, and what its source is set to, is
/// decided under one short lock; sources are set, and closures run and released, outside of it.
final class DispatchTimers: TimerKeeper {
    static var shared: DispatchTimers { FirstUse.of(only) }
    private static var store: TimerStore { FirstUse.of(onlyStore) }
    private static let only = DispatchTimers()
    private static let onlyStore = TimerStore(only)

    private let slots = Lock(TimerSlots())

    /// Timers that are not over.
    var count: Int { slots.withLock { $0.count } }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// See ``DispatchBackend/arm(_:)``.
    func arm(_ request: TimerRequest, on queue: DispatchQueue) -> TimerHandle {
        let now = Self.now
        let first =
            switch request.start {
            case .after(let delay): now.addingSaturated(delay.nanosecondsRoundedUp)
            case .at(let instant): instant.nanoseconds
            }
        let leeway = request.leeway.nanosecondsRoundedUp
        let cycle: TickCycle
        switch request.body {
        case .once(let run) where first <= now:
            return post(run, on: queue)
        case .once(let run):
            return start(.once(run), on: queue, at: first, leeway: leeway)
        case .every(let interval, let missed, let jitter, let run):
            cycle = TickCycle(
                run, TickGrid(.grid(missed), first: first, interval: interval, jitter: jitter))
        case .afterCompletion(let delay, let run):
            cycle = TickCycle(run, TickGrid(.afterCompletion, first: first, interval: delay))
        }
        return start(
            .cycle(cycle), on: queue, at: cycle.grid.deadline,
            interval: cycle.grid.isPlain ? cycle.grid.interval : 0,
            leeway: cycle.grid.held(leeway))
    }

    /// A post with a handle, in order with the other posts of this thread.
    private func post(_ run: @escaping @Sendable () -> Void, on queue: DispatchQueue) -> TimerHandle
    {
        let id = slots.withLock {
            $0.insert(.once(run), nil, on: queue, deadline: 0, leeway: 0)
        }
        queue.async { Self.shared.fire(id) }
        return TimerHandle(store: Self.store, id: id)
    }

    private func start(
        _ work: TimerSlots.Work, on queue: DispatchQueue, at deadline: UInt64,
        interval: UInt64 = 0, leeway: UInt64
    ) -> TimerHandle {
        let source = TimerSource(on: queue, leeway: leeway)
        source.set(deadline: deadline, interval: interval, leeway: leeway)
        let id = slots.withLock {
            $0.insert(work, source, on: queue, deadline: deadline, leeway: leeway)
        }
        source.activate { Self.shared.fire(id) }
        return TimerHandle(store: Self.store, id: id)
    }

    /// Sets the timer's source to its deadline, until no other thread has changed that meanwhile.
    private func set(_ id: UInt64) {
        while let setting = slots.withLock({ $0.setting(id) }) {
            let source = setting.source ?? TimerSource(on: setting.queue, leeway: setting.leeway)
            source.set(
                deadline: setting.deadline, interval: setting.interval, leeway: setting.leeway)
            if setting.source == nil {
                let isNew = slots.withLock { $0.adopt(source, for: id) }
                source.activate { Self.shared.fire(id) }
                if !isNew {
                    source.cancel()
                }
            }
            if slots.withLock({ $0.isSettled(id, setting) }) {
                return
            }
        }
    }
}

// On the queue.
extension DispatchTimers {
    private func fire(_ id: UInt64) {
        // Closures are released with `run`'s frame, before the end is told.
        guard run(slots.withLock { $0.fire(id, Self.now) }, id) else { return }
        for body in end(id) {
            body()
        }
    }

    /// Runs what fires. False: nothing did.
    private func run(_ fire: TimerSlots.Fire, _ id: UInt64) -> Bool {
        switch fire {
        case .nothing:
            return false
        case .early:
            set(id)
            return false
        case .once(let run):
            run()
            return true
        case .tick(let cycle, let index, let scheduled, let missed):
            let now = Self.now
            cycle.run(
                Tick(
                    index: Int(clamping: index),
                    scheduled: LoopClock.Instant(nanoseconds: scheduled),
                    lateness: .nanoseconds(now > scheduled ? now - scheduled : 0),
                    missed: Int(clamping: missed), handle: TimerHandle(store: Self.store, id: id)))
            return true
        }
    }

    /// Ends a timer that is over, or sets it to its next tick. Returns who waits for its end.
    private func end(_ id: UInt64) -> [@Sendable () -> Void] {
        switch slots.withLock({ $0.end(id, Self.now) }) {
        case .goesOn:
            return []
        case .set:
            set(id)
            return []
        case .over(let source, _, let watchers):
            // What is left of the closure is released when this returns.
            source?.cancel()
            return watchers
        }
    }
}

// What the handle asks for.
extension DispatchTimers {
    func cancel(_ id: UInt64) -> CancelResult {
        let (result, source, _) = slots.withLock { $0.cancel(id) }
        source?.cancel()
        return result
    }

    func rearm(_ id: UInt64, after delay: Duration) -> Bool {
        let deadline = Self.now.addingSaturated(delay.nanosecondsRoundedUp)
        guard slots.withLock({ $0.rearm(id, at: deadline) }) else { return false }
        set(id)
        return true
    }

    func isPending(_ id: UInt64) -> Bool {
        slots.withLock { $0.isPending(id) }
    }

    func watch(_ id: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
        slots.withLock { $0.watch(id, body) }
    }
}
