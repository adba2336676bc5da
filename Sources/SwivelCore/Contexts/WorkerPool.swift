// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Threads for work that may block: one a processor, and one more for each that waits.
///
/// A worker that blocks in one of Swivel's waits is replaced while it waits, so that work which waits
/// for other work of the same pool always ends. Threads start when there is work for them, and idle
/// ones end after a while.
///
/// The replacing has a limit, `maximumThreads`. Work that comes while all those threads wait is run
/// when one of them comes free; debug builds report the first time. Where none can come free but by
/// that work, the program stops: when all threads wait without a time limit, work is queued, and for
/// ten to twenty seconds neither has changed.
public final class WorkerPool: ExecutionContext, Sendable {
    /// The pool behind ``ExecutionContext/background``.
    public static var shared: WorkerPool { FirstUse.of(only) }
    private static let only = WorkerPool()

    /// Time after which an idle thread ends.
    private static let idleLimit: UInt64 = 5_000_000_000

    /// What the pool's threads share.
    struct State {
        var queue = WorkQueue()
        /// Threads that exist, that have nothing to do, and that wait in one of Swivel's waits.
        var threads = 0
        var idle = 0
        var blocked = 0
        /// How many of those that wait have no time limit.
        var endless = 0
        /// Idle threads that were woken and have not looked at the queue yet.
        var summoned = 0
        /// Closures begun and waits ended: while it stands still nothing happens here.
        var progress = 0
        /// Whether the system has refused the last thread that was asked for.
        var isRefused = false
        /// Whether the pool has said that it is exhausted, and that it got no thread.
        var hasReported = false
        var hasReportedRefusal = false
    }

    let parker = ThreadParker()
    /// Guarded by `parker`.
    let state = Guarded(State())
    let name: String
    let width: Int
    let limit: Int
    /// How long an exhausted pool waits for a change before it looks again, in nanoseconds.
    let patience: UInt64
    /// The pool's threads exist in the process that made it, and not in its children.
    private let forks = swivel_forks()

    /// A pool.
    ///
    /// - Parameters:
    ///   - name: Of its threads; Linux shows the first 15 bytes.
    ///   - threads: Threads that run at once; the number of processors if `nil`.
    ///   - maximumThreads: Threads that exist at once, with those that wait.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    public convenience init(
        name: String = "swivel.pool", threads: Int? = nil, maximumThreads: Int = 4096,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            name: name, threads: threads, maximumThreads: maximumThreads, patience: .seconds(10),
            file: file, line: line)
    }

    /// A pool that looks every `patience` whether it is stuck, while all its threads wait.
    package init(
        name: String, threads: Int?, maximumThreads: Int, patience: Duration,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let width = threads ?? Thread.processorCount
        check(
            width > 0, "a pool needs at least one thread, not \(width)", file: file, line: line)
        self.name = name
        self.width = width
        limit = max(width, maximumThreads)
        self.patience = patience.nanosecondsRoundedUp
    }

    /// Runs `work` on one of the pool's threads, in the order of submission as threads come free.
    ///
    /// A pool that was made before a `fork` is dead in the child: it releases the work.
    ///
    /// **Thread:** any.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        guard swivel_forks() == forks else { return }
        let work = Errands.following(work)
        let (starts, reports) = parker.withLock {
            state.value.queue.append(work)
            return (wakeOrClaimThread(), claimReport())
        }
        if starts {
            startThread()
        } else if reports {
            reportExhaustion()
        }
    }

    /// Always false: a pool runs many closures at a time.
    public var isCurrent: Bool { false }

    /// How the pool is doing.
    ///
    /// **Thread:** any.
    public var metrics: WorkerPoolMetrics {
        parker.withLock {
            WorkerPoolMetrics(
                threads: state.value.threads, idle: state.value.idle,
                blocked: state.value.blocked, queued: state.value.queue.count)
        }
    }

    /// Under the lock: wakes an idle thread for the work that waits, or counts a new one.
    func wakeOrClaimThread() -> Bool {
        if summonIdle() {
            return false
        }
        let running = state.value.threads - state.value.blocked
        guard running < width, state.value.threads < limit else { return false }
        state.value.threads += 1
        return true
    }

    /// Under the lock: wakes an idle thread, if there is one.
    private func summonIdle() -> Bool {
        guard state.value.idle > 0 else { return false }
        state.value.idle -= 1
        state.value.summoned += 1
        parker.wakeOne()
        return true
    }

    func startThread() {
        let started = Thread.start(name: name) { [self] in
            Thread.currentPool = self
            runWorker()
        }
        // The work stays queued for the threads there are; without any there is no way to run it.
        let (none, reports) = parker.withLock {
            state.value.isRefused = !started
            state.value.threads -= started ? 0 : 1
            let reports = !started && !state.value.hasReportedRefusal
            state.value.hasReportedRefusal = state.value.hasReportedRefusal || reports
            return (state.value.threads == 0, reports)
        }
        check(started || !none, "the system refused the first thread of the pool '\(name)'")
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
        parker.withLock {
            let deadline = swivel_now_ns() + Self.idleLimit
            while true {
                let isSurplus = state.value.threads - state.value.blocked > width
                if !isSurplus, let work = state.value.queue.popFirst() {
                    state.value.progress += 1
                    return work
                }
                if isSurplus {
                    break
                }
                state.value.idle += 1
                let inTime = parker.park(until: deadline)
                if state.value.summoned > 0 {
                    state.value.summoned -= 1
                } else {
                    state.value.idle -= 1
                }
                if !inTime && state.value.queue.isEmpty {
                    break
                }
            }
            state.value.threads -= 1
            // A thread that ends passes on what it may have been woken for.
            _ = !state.value.queue.isEmpty && summonIdle()
            return nil
        }
    }
}

/// How a ``WorkerPool`` is doing.
public struct WorkerPoolMetrics: Hashable, Sendable {
    /// Threads that exist.
    public let threads: Int
    /// Threads that have nothing to do.
    public let idle: Int
    /// Threads that wait in one of Swivel's waits, and were replaced.
    public let blocked: Int
    /// Work that waits for a thread.
    public let queued: Int
}

extension ExecutionContext where Self == WorkerPool {
    /// Swivel's worker pool: one thread a processor; a worker blocked in one of Swivel's waits is
    /// replaced while it waits.
    public static var background: WorkerPool { .shared }
}
