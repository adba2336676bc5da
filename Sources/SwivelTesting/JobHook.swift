// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Where the Swift runtime tells of each job that goes to the global executor.
///
/// The runtime keeps a hook for this in a variable that it exports, and has done so on all platforms
/// since Swift 5.5. A job that a manual loop answers for is made an ``Errand``: it runs as the body
/// of a detached task, on the same threads with the same priority, so that its return is seen. All
/// others pass. Where there is no such variable, or somebody else has taken it since, nothing is
/// followed.
enum JobHook {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void
    private typealias Number = @convention(thin) (UnownedJob) -> UInt64
    private typealias Flags = @convention(thin) (UnownedJob) -> UInt32

    private struct Symbols: @unchecked Sendable {
        // because the runtime reads the variable whenever it likes, and this writes it once, a word.
        let hook: UnsafeMutablePointer<Hook?>
        let number: Number
        let flags: Flags
        /// Whom the hook belonged to before.
        let previous: Hook?

        /// The number of the task whose job it is; `nil`: of none, but of an actor's, say.
        func task(of job: UnownedJob) -> UInt64? {
            // The kind is the lowest byte (`JobFlags`); a task's is 0.
            flags(job) & 0xFF == 0 ? number(job) : nil
        }
    }

    private static let symbols: Symbols? = {
        let program = UnsafeMutableRawPointer(bitPattern: Self.wholeProgram)
        guard let hook = dlsym(program, "swift_task_enqueueGlobal_hook"),
            let number = dlsym(program, "swift_task_getJobTaskId"),
            let flags = dlsym(program, "swift_task_getJobFlags")
        else { return nil }
        let variable = hook.assumingMemoryBound(to: Hook?.self)
        return Symbols(
            hook: variable, number: unsafeBitCast(number, to: Number.self),
            flags: unsafeBitCast(flags, to: Flags.self),
            previous: variable.pointee)
    }()

    #if canImport(Darwin)
    /// `RTLD_DEFAULT`.
    private static let wholeProgram = -2
    #else
    private static let wholeProgram = 0
    #endif

    private static let isInstalled: Bool = {
        guard let symbols else { return false }
        symbols.hook.pointee = { job, original in JobHook.enqueue(job, original) }
        return true
    }()

    /// What the variable holds once the hook is in place.
    private static let installed: UInt? = isInstalled ? inVariable : nil

    private static var inVariable: UInt {
        unsafeBitCast(symbols?.hook.pointee, to: UInt.self)
    }

    /// Puts the hook in place, once in a process. Whether jobs are seen.
    static var isInPlace: Bool { installed.map { $0 == inVariable } ?? false }

    /// The number of the running task, which no other has or had; `nil` outside of tasks.
    static var currentTask: UInt64? {
        guard let symbols else { return nil }
        return withUnsafeCurrentTask { task in
            // Both are the task's address, and nothing else.
            task.map { symbols.number(unsafeBitCast($0, to: UnownedJob.self)) }
        }
    }

    private static func enqueue(_ job: UnownedJob, _ original: Enqueue) {
        guard !Errands.isUnfollowed, let symbols,
            let (errands, kind) = Accounts.shared.account(of: symbols.task(of: job))
        else {
            if let previous = symbols?.previous {
                previous(job, original)
            } else {
                original(job)
            }
            return
        }
        let task = unsafeBitCast(job, to: UInt.self)
        errands.find(task)
        send(job, as: errands.send(kind, of: task))
    }

    /// Queues the job as the body of a detached task.
    fileprivate static func send(_ job: UnownedJob, as errand: Errand?) {
        Errands.withoutFollowing {
            _ = Task.detached(priority: TaskPriority(rawValue: job.priority.rawValue)) {
                if let errand {
                    errand.run { ErrandExecutor.shared.run(job) }
                } else {
                    ErrandExecutor.shared.run(job)
                }
            }
        }
    }
}

/// The executor that errands run on, as far as the runtime knows: it stands for the global one.
///
/// What a task gives to the executor that it is on passes by the hook. `Task.yield()` does that.
private final class ErrandExecutor: TaskExecutor {
    static let shared = ErrandExecutor()

    func run(_ job: UnownedJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let task = unsafeBitCast(job, to: UInt.self)
        JobHook.send(job, as: Errands.sender.map { $0.errands.send($0.kind, of: task) })
    }
}
