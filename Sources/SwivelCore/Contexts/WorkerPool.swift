// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Threads for work that may block: one a processor, and one more for each that waits.
///
/// While a worker blocks in one of Swivel's waits another one replaces it, so work that waits for
/// other work of the same pool always ends. Threads start when there is work for them, and idle
/// ones end after five seconds.
///
/// The pool never has more than `maximumThreads`. Work that comes while all of them wait runs when
/// one comes free; debug builds report the first time. If all of them wait without a time limit,
/// work is queued behind them, and neither changes for ten to twenty seconds, nothing but that work
/// could end the waits, and the program traps.
public final class WorkerPool: ExecutionContext, Sendable {
    /// The pool behind ``ExecutionContext/background``.
    public static var shared: WorkerPool { FirstUse.of(only) }
    private static let only = WorkerPool()

    /// How long a thread is idle before it ends, in nanoseconds.
    private static let idleLimit: UInt64 = 5_000_000_000

    let state: Monitor<WorkerPoolState>
    let name: String
    /// How long an exhausted pool waits for a change before it looks again, in nanoseconds.
    let patience: UInt64
    /// How often the process had forked when the pool was made: its threads are not in a child.
    private let forks = swivel_forks()

    /// A pool. Its threads start when there is work for them.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - name: The name of its threads; Linux shows the first 15 bytes.
    ///   - threads: How many run closures at once; the number of processors if `nil`. Fewer than
    ///     one traps.
    ///   - maximumThreads: How many exist at once, those that wait included.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Complexity: O(1).
    public convenience init(
        name: String = "swivel.pool", threads: Int? = nil, maximumThreads: Int = 4096,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            name: name, threads: threads, maximumThreads: maximumThreads, patience: .seconds(10),
            file: file, line: line)
    }

    /// A pool that checks every `patience` whether it is stuck, while all its threads wait.
    package init(
        name: String, threads: Int?, maximumThreads: Int, patience: Duration,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let width = threads ?? Thread.processorCount
        check(
            width > 0, "a pool needs at least one thread, not \(width)", file: file, line: line)
        self.name = name
        state = Monitor(WorkerPoolState(width: width, limit: max(width, maximumThreads)))
        self.patience = patience.nanosecondsRoundedUp
    }

    /// Runs `work` on one of the pool's threads. Closures start in the order in which they came.
    ///
    /// A pool that was made before a `fork` is dead in the child: it releases the work.
    ///
    /// **Thread:** any.
    /// - Parameter work: Runs once. Traps if the system refuses the pool its first thread.
    /// - Complexity: O(1) amortized; at times it starts a thread.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        guard swivel_forks() == forks else { return }
        let work = Errands.following(work)
        let (starts, reports) = state.withSleepers { state, sleepers in
            state.queue.append(work)
            return (state.wakeOrClaimThread(sleepers), state.claimReport())
        }
        if starts {
            startThread()
        } else if reports {
            reportExhaustion()
        }
    }

    /// Always false: a pool runs many closures at a time. **Thread:** any.
    public var isCurrent: Bool { false }

    /// A snapshot of the pool's threads and of its queue.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public var metrics: WorkerPoolMetrics {
        state.withLock { state in
            WorkerPoolMetrics(
                threads: state.threads, idle: state.idle, blocked: state.blocked,
                queued: state.queue.count)
        }
    }

    func startThread() {
        let started = Thread.start(name: name) { [self] in
            Thread.currentPool = self
            runWorker()
        }
        let (hasNone, reports) = state.withLock { $0.noteStart(started) }
        // The work stays queued for the threads there are; without any there is no way to run it.
        check(started || !hasNone, "the system refused the first thread of the pool '\(name)'")
        if reports {
            Diagnostics.report(
                "the system refused the pool '\(name)' a thread: work waits for those it has")
        }
    }

    private func runWorker() {
        while let work = nextWork() {
            work()
        }
    }

    /// The next work for this thread; `nil` when it is to end.
    private func nextWork() -> (@Sendable () -> Void)? {
        var isIdle = false
        let step = state.wait(until: swivel_now_ns() + Self.idleLimit) { state, isLast in
            let step = state.next(wasIdle: isIdle, isLate: isLast)
            isIdle = step == nil
            return step
        }
        if case .run(let work) = step {
            return work
        }
        // A thread that ends passes on what it may have been woken for.
        state.withSleepers { state, sleepers in state.passOn(sleepers) }
        return nil
    }
}

/// The threads of a ``WorkerPool`` at one instant.
public struct WorkerPoolMetrics: Hashable, Sendable {
    /// Threads that exist.
    public let threads: Int
    /// Threads that have nothing to do.
    public let idle: Int
    /// Threads that wait in one of Swivel's waits; others replace them meanwhile.
    public let blocked: Int
    /// Closures that wait for a thread.
    public let queued: Int
}

extension ExecutionContext where Self == WorkerPool {
    /// Swivel's worker pool: one thread a processor, and one more for each that blocks in one of
    /// Swivel's waits.
    public static var background: WorkerPool { .shared }
}
