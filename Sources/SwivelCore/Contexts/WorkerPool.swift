// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// Threads for work that computes or blocks: one per processor, and one more for each that is
/// blocked. They start when there is work for them.
///
/// While a worker blocks in one of Swivel's waits another one replaces it, so work that waits for
/// other work of the same pool always ends.
///
/// A worker may also block in code that Swivel cannot see: in a `DispatchSemaphore`, a lock,
/// `read`, a database driver, or for a page of memory. If a closure waits in the queue for 20 ms,
/// the pool reads from the kernel which of its threads are asleep, and adds one for each, up to
/// twice as many at each further check. A thread that computes, spins, polls or was preempted is
/// not asleep: closures that use their processors never get more threads. A thread that is one too
/// many takes no more work, and idle threads end after five seconds.
///
/// The pool never has more than `maximumThreads`, and at most `blockingLimit` that are in none of
/// Swivel's waits. Work that comes while all of them are blocked waits until one is free; debug
/// builds report the first time, with the closures that the threads run. If it has
/// `maximumThreads`, all of them are in Swivel's waits without a time limit, work is queued behind
/// them, and neither changes for ten to twenty seconds, the program traps, because that work is
/// most likely what would end the waits. Give a wait for something slow a time limit.
///
/// **Thread:** any.
public final class WorkerPool: ExecutionContext, @unchecked Sendable {
    // because the functions of the core take the lock of `record`, and nothing else changes.

    /// The pool behind ``ExecutionContext/background``.
    public static var shared: WorkerPool { theShared }
    private static let theShared = WorkerPool()

    let record: OpaquePointer
    let name: String
    /// How long an exhausted pool waits for a change before its next check, in nanoseconds.
    let patience: UInt64
    /// How long a thread is idle before it ends, in nanoseconds.
    let idleLimit: UInt64
    /// How often the process had forked when the pool was made: its threads are not in a child.
    private let forks = swivel_forks()
    private let hasReportedFork = Atomic(false)

    /// A pool whose threads have the `name`, of which Linux shows the first 15 bytes.
    ///
    /// At most `threads` run closures at once, as many as there are processors if `nil`; fewer than
    /// one traps. At most `maximumThreads` exist, those that wait included, and at most
    /// `blockingLimit`, or `threads` if that is more, are in none of Swivel's waits while closures
    /// block in code that Swivel cannot see.
    ///
    /// - Complexity: O(1).
    public convenience init(
        name: String = "swivel.pool", threads: Int? = nil, maximumThreads: Int = 4096,
        blockingLimit: Int = 256, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            name: name, threads: threads, maximumThreads: maximumThreads,
            blockingLimit: blockingLimit, patience: .seconds(10), file: file, line: line)
    }

    /// A pool with these limits instead of ten and five seconds.
    package init(
        name: String, threads: Int?, maximumThreads: Int, blockingLimit: Int = 256,
        patience: Duration, idleLimit: Duration = .seconds(5),
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let width = threads ?? Thread.processorCount
        check(width > 0, "a pool needs at least one thread, not \(width)", file: file, line: line)
        let record = swivel__pool_make(
            UInt32(clamping: width), UInt32(clamping: max(width, maximumThreads)),
            UInt32(clamping: blockingLimit))
        guard let record else {
            trap("there is no memory for the pool '\(name)'", file: file, line: line)
        }
        self.name = name
        self.record = record
        self.patience = patience.nanosecondsRoundedUp
        self.idleLimit = idleLimit.nanosecondsRoundedUp
    }

    /// A pool whose threads have ended: they retain it. Work is left if the system refused threads.
    deinit {
        var work = swivel_work()
        while swivel__pool_take(record, &work) { LoopHooks.release(work) }
        swivel__pool_free(record)
    }

    /// Runs `work` once on one of the pool's threads. Closures start in the order in which they
    /// came. A pool that was made before a `fork` is dead in the child: it releases the work. Traps
    /// if the system refuses the pool its first thread.
    ///
    /// - Complexity: O(1) amortized; at times it starts a thread.
    @preconcurrency
    public func execute(_ work: consuming @escaping @Sendable () -> Void) {
        guard isAlive else { return reportFork() }
        push(Work.words(Tracking.track(work)))
    }

    /// Whether the process is the one in which the pool was made.
    @inline(__always)
    var isAlive: Bool { swivel_forks() == forks }

    /// The process is a child, and the pool its parent's.
    @inline(never)
    private func reportFork() {
        if hasReportedFork.exchange(true, ordering: .relaxed) { return }
        Diagnostics.report(
            """
            the pool '\(name)' was made before a fork, and runs nothing in the child: fork before \
            its first use, or make a WorkerPool in the child
            """)
    }

    /// Queues a closure, or a future's callback.
    @inline(__always)
    func push(_ work: swivel_work) {
        if let world = Simulated.world {
            let work = SimulatedWork(work)
            return world.run({ work.run() }, on: .pool)
        }
        let actions = swivel__pool_push(record, work)
        if actions != 0 {
            check(actions > 0, "there is no memory for the work of the pool '\(name)'")
            perform(actions)
        }
    }

    /// Always false: a pool runs many closures at a time.
    public var isCurrent: Bool { false }

    /// A snapshot of the pool's threads and of its queue; all zero if the pool is dead.
    public var metrics: WorkerPoolMetrics {
        let count = isAlive ? swivel__pool_count(record) : swivel_pool_count()
        return WorkerPoolMetrics(
            threads: Int(count.threads), idle: Int(count.idle), blocked: Int(count.blocked),
            queued: Int(count.queued))
    }

    /// Does what the core has found to be done. False: the system has refused a thread.
    @inline(never)
    @discardableResult
    func perform(_ actions: Int32) -> Bool {
        if actions & Int32(SWIVEL_POOL_MONITOR) != 0 { startMonitor() }
        if actions & Int32(SWIVEL_POOL_REPORT) != 0 { reportExhaustion() }
        return actions & Int32(SWIVEL_POOL_START) == 0 || startThread()
    }

    private func startThread() -> Bool {
        if Thread.start(name: name, { [self] in runWorker() }) { return true }
        let actions = swivel__pool_refused(record)
        // The work stays queued for the threads there are; without any there is no way to run it.
        check(
            actions & Int32(SWIVEL_POOL_NONE) == 0,
            "the system refused the first thread of the pool '\(name)'")
        if actions & Int32(SWIVEL_POOL_FIRST) != 0 {
            Diagnostics.report(
                "the system refused the pool '\(name)' a thread: work waits for those it has")
        }
        perform(actions)
        return false
    }

    private func runWorker() {
        withUnsafeTemporaryAllocation(of: swivel_worker.self, capacity: 1) { worker in
            guard let worker = worker.baseAddress else { return }
            swivel__pool_join(record, worker, Unmanaged.passUnretained(self).toOpaque())
            Thread.currentWorker = worker
            defer { Thread.currentWorker = nil }
            var work = swivel_work()
            while true {
                let actions = swivel__pool_next(record, worker, idleLimit, &work)
                if actions != Int32(SWIVEL_POOL_RUN) { perform(actions) }
                guard actions & Int32(SWIVEL_POOL_RUN) != 0 else { return }
                LoopHooks.run(&work)
            }
        }
    }
}

// Tasks.
extension WorkerPool {
    /// Whether the calling thread is a worker of a pool.
    package static var isOnWorker: Bool { Thread.currentPool != nil }

    /// Runs a job of the global executor on one of the pool's threads, without an allocation but
    /// one queue segment in 512 jobs. Those of higher priority run first, but after 32 of them one
    /// of a lower priority is next. In a child, a pool that was made before the `fork` drops it.
    package func accept(_ job: UnownedJob, priority: UInt8) {
        guard isAlive else { return reportFork() }
        let actions = swivel__pool_push_to(record, Self.band(priority), TaskWords.onPool(job))
        if actions != 0 {
            check(actions > 0, "there is no memory for the work of the pool '\(name)'")
            perform(actions)
        }
    }

    /// The bands are those of Dispatch: `userInitiated` and more; `medium`, or none; `utility`;
    /// less.
    private static func band(_ priority: UInt8) -> UInt32 {
        switch priority {
        case 0: 1
        case TaskPriority.userInitiated.rawValue...: 0
        case (TaskPriority.utility.rawValue + 1)...: 1
        case (TaskPriority.background.rawValue + 1)...: 2
        default: 3
        }
    }

    static func run(_ job: UnownedJob) {
        if let worker = Thread.currentWorker {
            swivel__worker_note(worker, WakeJob.site(of: job))
        }
        WakeJob.run(job)
    }

    /// How long jobs of tasks have waited, by powers of two of nanoseconds.
    package var jobDelays: [Int] {
        var delays = [UInt64](repeating: 0, count: Int(SWIVEL_DELAY_BUCKETS))
        if isAlive { swivel__pool_delays(record, &delays) }
        return delays.map { Int(clamping: $0) }
    }
}

// Futures.
extension WorkerPool {
    /// Runs a future's callback on one of the pool's threads, as ``execute(_:)`` a closure, but
    /// without an object. In a child, a pool that was made before the `fork` releases it.
    package func accept(_ callback: CallbackWords) {
        if Tracking.tracker != nil {
            // Virtual time waits for the work, which an object keeps count of.
            let box = CallbackBox(callback)
            return execute { box.run() }
        }
        guard isAlive else {
            reportFork()
            return callback.call(runs: false)
        }
        push(callback.words)
    }

    /// Runs the work of the future at `awaited`, for which the calling worker is about to wait, if
    /// that is next and the worker would have to be replaced for it. False outside of a pool, in a
    /// loop's turn, and if work is promised to run before the thread waits.
    package static func runs(_ awaited: UnsafeMutableRawPointer) -> Bool {
        guard let pool = Thread.currentPool, Loop.current == nil, Loop.hosting == nil,
            !Trampoline.ofThread.pointee.isBusy
        else { return false }
        var work = swivel_work()
        guard swivel__pool_help(pool.record, UInt(bitPattern: awaited), &work) else { return false }
        LoopHooks.run(&work)
        return true
    }
}

/// The threads of a ``WorkerPool`` at one instant.
public struct WorkerPoolMetrics: Hashable, Sendable {
    /// Threads that exist.
    public let threads: Int
    /// Threads that have nothing to do.
    public let idle: Int
    /// Threads that others replace: in one of Swivel's waits, or asleep in code of the program when
    /// the pool checked last, in the same closure.
    public let blocked: Int
    /// Closures that wait for a thread.
    public let queued: Int
}

extension ExecutionContext where Self == WorkerPool {
    /// Swivel's worker pool: one thread per processor, and one more for each that is blocked. In
    /// the child of a `fork` it is dead for good if the parent has used it.
    public static var background: WorkerPool { .shared }
}
