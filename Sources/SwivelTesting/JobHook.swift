// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The hook through which the Swift runtime reports each job that goes to the global executor.
///
/// The runtime exports the variable, on all platforms since Swift 5.5. A job for which a manual
/// loop is responsible becomes ``TrackedWork``: it runs as the body of a detached task, on the same
/// threads with the same priority, so that its return is seen. All others pass, to the hook's
/// former owner if there is one. The hook is held while a manual loop is open. If other code has
/// taken it since, or there is no such variable, nothing is tracked.
enum JobHook {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void
    private typealias Number = @convention(thin) (UnownedJob) -> UInt64
    private typealias Flags = @convention(thin) (UnownedJob) -> UInt32

    private struct Symbols: @unchecked Sendable {
        // because the runtime reads the variable at any time, and a lock guards that this writes
        // it, as a word.
        let hook: UnsafeMutablePointer<Hook?>
        let number: Number
        let flags: Flags

        /// The number of the job's task; `nil` for a job of no task, such as an actor's.
        func task(of job: UnownedJob) -> UInt64? {
            // The lowest byte of the runtime's `JobFlags` is the job's kind, 0 for a task.
            flags(job) & 0xFF == 0 ? number(job) : nil
        }
    }

    private static let symbols: Symbols? = {
        let program = UnsafeMutableRawPointer(bitPattern: Self.wholeProgram)
        guard let hook = dlsym(program, "swift_task_enqueueGlobal_hook"),
            let number = dlsym(program, "swift_task_getJobTaskId"),
            let flags = dlsym(program, "swift_task_getJobFlags")
        else { return nil }
        return Symbols(
            hook: hook.assumingMemoryBound(to: Hook?.self),
            number: unsafeBitCast(number, to: Number.self),
            flags: unsafeBitCast(flags, to: Flags.self))
    }()

    #if canImport(Darwin)
    /// `RTLD_DEFAULT`.
    private static let wholeProgram = -2
    #else
    private static let wholeProgram = 0
    #endif

    private static let own: Hook = { job, original in JobHook.enqueue(job, original) }

    /// Whether jobs are seen.
    static var isInPlace: Bool {
        guard let hook = symbols?.hook.pointee else { return false }
        return unsafeBitCast(hook, to: UInt.self) == unsafeBitCast(own, to: UInt.self)
    }

    /// The manual loops that are open. Its lock guards what is written to the runtime's variable.
    private static let openLoops = Lock<Int>.ofProcess { $0?.pointee ?? 0 }
    /// The former owner's hook; 0: there is none. Running jobs may still read it later.
    private static let former = Atomic<UInt>(0)
    private static let hasReported = Atomic(false)

    /// How many jobs are in the hook.
    private static let queuing = Atomic(0)

    /// Whether a thread is queuing a job, which may not be counted yet.
    static var isQueuing: Bool { queuing.load(ordering: .sequentiallyConsistent) != 0 }

    /// Takes the hook for a manual loop that opens, in front of the code that has it. Returns
    /// whether jobs are seen. ``leave()`` must follow.
    static func enter() -> Bool {
        openLoops.withLock { count in
            count += 1
            guard let symbols else { return false }
            if !isInPlace {
                former.store(
                    unsafeBitCast(symbols.hook.pointee, to: UInt.self), ordering: .releasing)
                symbols.hook.pointee = own
            }
            return true
        }
    }

    /// A manual loop has closed: the last one gives the hook back.
    static func leave() {
        openLoops.withLock { count in
            count -= 1
            if count == 0, isInPlace {
                let former = former.load(ordering: .acquiring)
                symbols?.hook.pointee = unsafeBitCast(former, to: Hook?.self)
            }
        }
    }

    /// Reports, once in a process, that other code has the hook while a manual loop is open.
    static func reportIfDisplaced(_ caller: Caller) {
        guard symbols != nil, !isInPlace, openLoops.withLock({ $0 }) > 0,
            !hasReported.exchange(true, ordering: .relaxed)
        else { return }
        Diagnostics.warn(
            """
            \(caller.name): other code has taken the Swift runtime's hook for jobs \
            (swift_task_enqueueGlobal_hook) while a manual loop is open, as withMainSerialExecutor \
            does: time may pass over tasks that have not gone on. Make the loop inside of that \
            code's scope, and shut it down there
            """)
    }

    /// The number of the running task, which no other task has or had; `nil` outside of tasks.
    static var currentTask: UInt64? {
        guard let symbols else { return nil }
        return withUnsafeCurrentTask { task in
            // Both are the task's address and nothing else.
            task.map { symbols.number(unsafeBitCast($0, to: UnownedJob.self)) }
        }
    }

    private static func enqueue(_ job: UnownedJob, _ original: Enqueue) {
        queuing.add(1, ordering: .sequentiallyConsistent)
        defer { queuing.subtract(1, ordering: .sequentiallyConsistent) }
        guard !TrackedWork.isUntracked, let symbols,
            let (inFlight, origin) = Directors.shared.sender(of: symbols.task(of: job))
        else {
            let former = former.load(ordering: .acquiring)
            if let former = unsafeBitCast(former, to: Hook?.self) {
                former(job, original)
            } else {
                original(job)
            }
            return
        }
        inFlight.found(unsafeBitCast(job, to: UInt.self))
        send(job, as: TrackedWork(inFlight, origin))
    }

    /// Queues the job as the body of a detached task.
    fileprivate static func send(_ job: UnownedJob, as work: TrackedWork?) {
        TrackedWork.withoutTracking {
            _ = Task.detached(priority: TaskPriority(rawValue: job.priority.rawValue)) {
                let run = { GlobalExecutor.shared.run(job) }
                if let work { work.run(run) } else { run() }
            }
        }
    }
}

/// The executor of tracked jobs, as far as the runtime knows: it stands for the global one.
///
/// A task that gives a job to its own executor, as `Task.yield()` does, bypasses the hook.
private final class GlobalExecutor: TaskExecutor {
    static let shared = GlobalExecutor()

    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

    func enqueue(_ job: consuming ExecutorJob) {
        let sender = TrackedWork.sender
        JobHook.send(UnownedJob(job), as: sender.map { TrackedWork($0.inFlight, $0.origin) })
    }
}
