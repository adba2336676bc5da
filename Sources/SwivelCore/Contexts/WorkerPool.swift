// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Threads for work that may block: one a processor, and one more for each that waits.
///
/// A worker that blocks in one of Swivel's waits is replaced while it waits, so that work which waits
/// for other work of the same pool always ends. Threads start when there is work for them, and idle
/// ones end after a while.
public final class WorkerPool: ExecutionContext, Sendable {
    /// The pool behind ``ExecutionContext/background``.
    public static let shared = WorkerPool()

    /// Time after which an idle thread ends.
    private static let idleLimit: UInt64 = 5_000_000_000

    /// What the pool's threads share.
    private struct State {
        var queue = WorkQueue()
        /// Threads that exist, that have nothing to do, and that wait in one of Swivel's waits.
        var threads = 0
        var idle = 0
        var blocked = 0
        /// Idle threads that were woken and have not looked at the queue yet.
        var summoned = 0
    }

    private let parker = ThreadParker()
    private let state = Guarded(State())
    private let name: String
    private let width: Int
    private let limit: Int
    /// The pool's threads exist in the process that made it, and not in its children.
    private let forks = swivel_forks()

    /// A pool.
    ///
    /// - Parameters:
    ///   - name: Of its threads; Linux shows the first 15 bytes.
    ///   - threads: Threads that run at once; the number of processors if `nil`.
    ///   - maximumThreads: Threads that exist at once, with those that wait.
    public init(name: String = "swivel.pool", threads: Int? = nil, maximumThreads: Int = 4096) {
        let width = threads ?? Thread.processorCount
        check(width > 0, "a pool needs at least one thread, not \(width)")
        self.name = name
        self.width = width
        limit = max(width, maximumThreads)
    }

    /// Runs `work` on one of the pool's threads, in the order of submission as threads come free.
    ///
    /// A pool that was made before a `fork` is dead in the child: it releases the work.
    ///
    /// **Thread:** any.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        guard swivel_forks() == forks else { return }
        let starts = parker.withLock {
            state.value.queue.append(work)
            return wakeOrClaimThread()
        }
        if starts {
            startThread()
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
    private func wakeOrClaimThread() -> Bool {
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

    private func startThread() {
        let started = Thread.start(name: name) { [self] in
            Thread.currentPool = self
            runWorker()
        }
        if !started {
            // The work stays queued for the threads there are; without any there is no way to run it.
            let none = parker.withLock {
                state.value.threads -= 1
                return state.value.threads == 0
            }
            check(!none, "the system refused the first thread of the pool '\(name)'")
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

extension WorkerPool {
    /// Runs `wait`, which blocks the calling thread; if that is a pool's worker, it is replaced
    /// meanwhile.
    static func whileBlocked<R>(_ wait: () -> R) -> R {
        guard let pool = Thread.currentPool else {
            return wait()
        }
        pool.beginBlocking()
        defer { pool.endBlocking() }
        return wait()
    }

    private func beginBlocking() {
        let starts = parker.withLock {
            state.value.blocked += 1
            return state.value.queue.isEmpty ? false : wakeOrClaimThread()
        }
        if starts {
            startThread()
        }
    }

    private func endBlocking() {
        parker.withLock { state.value.blocked -= 1 }
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
