// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import Dispatch
internal import SwivelCore

/// The timers of all ``DispatchBackend``s by the number in their handles. One lock guards them; closures
/// run, and are released, outside of it.
final class DispatchTimers: TimerKeeper {
    static var shared: DispatchTimers { FirstUse.of(only) }
    private static var store: TimerStore { FirstUse.of(onlyStore) }
    private static let only = DispatchTimers()
    private static let onlyStore = TimerStore(only)

    private let table = Lock((timers: [UInt64: DispatchTimer](), lastID: UInt64(0)))

    /// Timers that are not over.
    var count: Int { table.withLock { $0.timers.count } }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// See ``DispatchBackend/arm(_:)``.
    func arm(_ request: TimerRequest, on queue: DispatchQueue) -> TimerHandle {
        let now = LoopClock.Instant(nanoseconds: Self.now)
        let timer = DispatchTimer(request, now, on: queue)
        table.withLock { table in
            table.lastID += 1
            table.timers[table.lastID] = timer
            timer.id = table.lastID
        }
        // Nobody else knows the timer before it is armed.
        if timer.isPost(now) {
            queue.async { DispatchTimers.shared.fire(timer) }
        } else {
            timer.setSource()
        }
        return handle(timer)
    }

    private func handle(_ timer: DispatchTimer) -> TimerHandle {
        TimerHandle(store: Self.store, id: timer.id)
    }

    /// Called on the queue.
    func fire(_ timer: DispatchTimer) {
        guard run(timer), !table.withLock({ _ in timer.goOn(Self.now) }) else { return }
        // A one-shot's closure was released with the frame of `run`.
        _ = table.withLock { _ in timer.takeCycle() }
        end(timer)
    }

    /// Runs what fires. False: nothing did.
    private func run(_ timer: DispatchTimer) -> Bool {
        switch table.withLock({ _ in timer.begin(Self.now) }) {
        case .nothing:
            return false
        case .once(let run):
            run()
        case .tick(let tick, let run):
            run(Tick(tick).with(handle(timer)))
        }
        return true
    }

    /// Tells who waits for the timer's end.
    private func end(_ timer: DispatchTimer) {
        let rest = table.withLock { table in
            table.timers[timer.id] = nil
            return timer.finish()
        }
        rest.source?.cancel()
        rest.watchers.forEach { $0() }
    }
}

// The handle's operations.
extension DispatchTimers {
    func cancel(_ id: UInt64) -> CancelResult {
        let (result, rest) = table.withLock { table -> (CancelResult, DispatchTimer.Rest?) in
            guard let timer = table.timers[id] else { return (.finished, nil) }
            let rest = timer.cancel()
            // Its source, or its block, keeps the timer: it is not released here.
            if rest != nil { table.timers[id] = nil }
            return (rest == nil ? .running : .cancelled, rest)
        }
        rest?.source?.cancel()
        return result
    }

    func rearm(_ id: UInt64, after delay: Duration) -> Bool {
        let deadline = LoopClock.Instant(nanoseconds: Self.now).advanced(by: max(delay, .zero))
        return table.withLock { $0.timers[id]?.move(to: deadline.nanoseconds) ?? false }
    }

    func isPending(_ id: UInt64) -> Bool {
        table.withLock { $0.timers[id]?.isPending ?? false }
    }

    func watch(_ id: UInt64, _ body: @escaping @Sendable () -> Void) -> Bool {
        table.withLock { $0.timers[id]?.watch(body) ?? false }
    }
}
