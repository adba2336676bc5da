// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Dispatch
internal import SwivelCore

/// One timer of a ``DispatchBackend``. Whatever is taken out of it is released by the caller, outside
/// of the lock.
final class DispatchTimer: @unchecked Sendable {
    // because the lock of ``DispatchTimers`` guards it, from its insertion there on.
    private enum Phase {
        case armed
        /// The closure is under way.
        case running
        /// A repeating closure is under way, for the last time.
        case last
        case over
    }

    /// The repeating part of a timer. It is an object of its own, because one-shots have none.
    final class Cycle {
        let run: @Sendable (Tick) -> Void
        var grid: swivel_grid

        init(_ run: @escaping @Sendable (Tick) -> Void, _ grid: swivel_grid) {
            self.run = run
            self.grid = grid
        }
    }

    /// The remains of a timer that is over.
    struct Rest {
        let source: (any DispatchSourceTimer)?
        let closures: ((@Sendable () -> Void)?, Cycle?)
        let watchers: [@Sendable () -> Void]
    }

    /// The number in its handle.
    var id: UInt64 = 0
    private let queue: DispatchQueue
    private let leeway: UInt64
    private var phase = Phase.armed
    private var deadline: UInt64
    /// The closure of a one-shot that has not started.
    private var once: (@Sendable () -> Void)?
    private var cycle: Cycle?
    private var source: (any DispatchSourceTimer)?
    private var watchers: [@Sendable () -> Void] = []

    /// A timer that nothing fires.
    init(_ request: TimerRequest, _ now: LoopClock.Instant, on queue: DispatchQueue) {
        self.queue = queue
        switch request.labelledBody {
        case .once(let run):
            once = run
            leeway = request.leeway.nanosecondsRoundedUp
            deadline = request.deadline(now: now)
        case .every(_, _, _, let run), .afterCompletion(_, let run):
            var grid = request.grid(now: now) ?? swivel_grid()
            grid.seed = .random(in: 1 ... .max)
            leeway = swivel__grid_leeway(&grid, request.leeway.nanosecondsRoundedUp)
            deadline = swivel__grid_due(&grid)
            cycle = Cycle(run, grid)
        }
    }

    /// Whether it is a one-shot that is due: a block on the queue, without a source.
    func isPost(_ now: LoopClock.Instant) -> Bool { cycle == nil && deadline <= now.nanoseconds }

    /// A source that repeats by itself, and counts what it was too late for, keeps this interval; 0:
    /// the source fires once each time it is set.
    private var ownInterval: UInt64 {
        guard let grid = cycle?.grid, grid.missed == SWIVEL_MISSED_SKIP, grid.jitter_high == 0
        else { return 0 }
        return grid.interval_ns
    }

    /// Has Dispatch fire the timer at its deadline.
    func setSource() {
        let source =
            self.source
            ?? DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
        let interval = ownInterval
        source.schedule(
            deadline: DispatchTime(deadline: deadline),
            repeating: interval == 0 ? .never : .nanoseconds(Int(clamping: interval)),
            leeway: .nanoseconds(Int(clamping: leeway)))
        if self.source == nil {
            self.source = source
            // The source keeps the timer until it is cancelled.
            source.setEventHandler { DispatchTimers.shared.fire(self) }
            source.activate()
        }
    }

    /// Ends the timer.
    func finish() -> Rest {
        phase = .over
        defer { watchers = [] }
        return Rest(
            source: source.take(), closures: (once.take(), cycle.take()), watchers: watchers)
    }
}

// Firing: called on the queue.
extension DispatchTimer {
    enum Fire {
        case nothing
        case once(@Sendable () -> Void)
        case tick(swivel_tick, @Sendable (Tick) -> Void)
    }

    /// Claims the timer. The closure is the caller's to run.
    func begin(_ now: UInt64) -> Fire {
        guard phase == .armed else { return .nothing }
        guard now >= deadline else {
            // It was moved after its source had fired.
            setSource()
            return .nothing
        }
        phase = .running
        if let cycle {
            let tick = swivel__grid_take(&cycle.grid, deadline, now)
            deadline =
                cycle.grid.missed == SWIVEL_AFTER_COMPLETION
                ? Self.unknown : swivel__grid_due(&cycle.grid)
            return .tick(tick, cycle.run)
        }
        return once.take().map { .once($0) } ?? .nothing
    }

    /// The deadline of a tick that counts from the closure's end.
    private static let unknown: UInt64 = 0

    /// The closure has returned. Arms a repeating timer's next tick; false: the timer is over.
    func goOn(_ now: UInt64) -> Bool {
        guard phase == .running, let cycle else { return false }
        phase = .armed
        if deadline == Self.unknown {
            swivel__grid_end(&cycle.grid, now)
            deadline = cycle.grid.first_ns
        }
        if ownInterval == 0 {
            setSource()
        }
        return true
    }

    /// The repeating part of a timer that is over. It is released before ``finish()``, so that who
    /// asks meanwhile finds the closure under way.
    func takeCycle() -> Cycle? { cycle.take() }
}

// The handle's operations.
extension DispatchTimer {
    /// Whether the closure will run (again) unless the timer is cancelled.
    var isPending: Bool { phase == .armed || phase == .running && cycle != nil }

    /// Returns the remains; `nil` if the closure is under way, which is then its last run.
    func cancel() -> Rest? {
        guard phase != .armed else { return finish() }
        if cycle != nil { phase = .last }
        return nil
    }

    /// False: it is over, or its one-shot closure is running.
    func move(to instant: UInt64) -> Bool {
        guard isPending else { return false }
        deadline = instant
        cycle?.grid.first_ns = instant
        setSource()
        return true
    }

    /// False: no closure is under way.
    func watch(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard phase == .running || phase == .last else { return false }
        watchers.append(body)
        return true
    }
}

extension DispatchTime {
    /// Beyond this Dispatch takes numbers for times of its other clocks; it is 146 years.
    private static let limit: UInt64 = 1 << 62

    fileprivate init(deadline: UInt64) {
        self = deadline < Self.limit ? DispatchTime(uptimeNanoseconds: deadline) : .distantFuture
    }
}
