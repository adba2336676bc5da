// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The jobs with which Swift's runtime ends a `Task.sleep`.
///
/// Other code may give an executor jobs to be run at an instant, which must not run earlier, so wake
/// jobs are recognised: each is a new task whose function is one of the runtime's. Where a new
/// task has the address of its function was read from Swift 6.3. Three probe sleeps, made on the
/// calling thread, show whether this runtime has it there too, and what the addresses are.
package enum WakeJob {
    /// Words of a task: its flags and number; where it continues, which is in the runtime for a new
    /// one; its context. And a word before the context of a new task: its function.
    private static let (flags, resume, context, function) = (4, 7, 8, -3)

    private struct Known {
        let start: UInt
        let functions: [UInt]
    }

    /// The result of the probes; `nil`: this runtime is another one.
    private static let known: Known? = {
        let probes: [@Sendable () async throws -> Void] = [
            { try await Task.sleep(for: .seconds(3600)) },
            { try await Task.sleep(nanoseconds: 3_600_000_000_000) },
            { try await SuspendingClock().sleep(for: .seconds(3600)) },
        ]
        let found = probes.compactMap { SleepProbe().words(of: $0) }
        guard found.count == probes.count, Set(found.map(\.start)).count == 1 else { return nil }
        return Known(start: found[0].start, functions: found.map(\.function))
    }()

    /// Calls of ``tasksMade()``, each of which makes a task.
    private static let countings = Atomic(0)

    /// How many tasks the process has made, but for the probes; `nil`: not known. To be called
    /// after ``isSupported``.
    package static func tasksMade() -> Int? {
        // Each probe is two tasks, the sleeper and the wake job.
        let probes = 2 * 3 + countings.add(1, ordering: .relaxed).newValue
        return SleepProbe().number.map { $0 - probes }
    }

    /// Whether sleeps can be loops' timers: the runtime gives them to executors, as jobs that are
    /// recognised.
    package static let isSupported: Bool = {
        if known == nil {
            Diagnostics.warn(
                """
                this Swift runtime differs from that of Swift 6.3, so Task.sleep stays on the \
                runtime's own timers
                """)
        }
        return known != nil
    }()

    package static func isWake(_ job: UnownedJob) -> Bool {
        guard let known, let words = words(of: job) else { return false }
        return words[resume] == known.start && known.functions.contains(self.function(of: words))
    }

    /// The words of a job of the runtime's: at least nine.
    private static func words(of job: UnownedJob) -> UnsafePointer<UInt>? {
        UnsafePointer(bitPattern: address(of: job))
    }

    private static func function(of words: UnsafePointer<UInt>) -> UInt {
        UnsafePointer<UInt>(bitPattern: words[context])?[function] ?? 0
    }

    /// The words by which a job is recognised. It must be a new task.
    fileprivate static func signature(of job: UnownedJob) -> (start: UInt, function: UInt)? {
        guard let words = words(of: job) else { return nil }
        return (words[resume], function(of: words))
    }

    /// The number of the task with this address: no other one has it, until they wrap.
    package static func number(ofTask task: UInt) -> UInt32 {
        UnsafePointer<UInt>(bitPattern: task).map { UInt32(truncatingIfNeeded: $0[flags] >> 32) }
            ?? 0
    }

    /// Where the job continues, or the function of a new task: an address in the program, for
    /// reports.
    package static func site(of job: UnownedJob) -> UInt64 {
        guard let known, let words = words(of: job) else { return 0 }
        let isNew = words[resume] == known.start
        return UInt64(isNew ? function(of: words) : words[resume])
    }

    /// Runs the job later, on the platform's executor. Less than zero: soon.
    ///
    /// The default executor may be one of Swivel's, which would take a wake job for the end of a
    /// sleep of the task that calls this.
    package static func run(_ job: UnownedJob, after delay: Duration) {
        guard let executor = PlatformExecutorFactory.defaultExecutor as? any SchedulingExecutor
        else { trap("the platform's executor cannot wait for an instant") }
        executor.enqueue(ExecutorJob(job), after: delay, tolerance: nil, clock: .continuous)
    }
}

/// Runs a task up to its first sleep and to its end, all on the calling thread.
private final class SleepProbe: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
    // because one thread uses it, inside one call.
    private var job: UnownedJob?
    private var wake: UnownedJob?
    private var sleeper: UInt?

    func words(
        of sleep: @escaping @Sendable () async throws -> Void
    ) -> (start: UInt, function: UInt)? {
        let task = Task.detached(executorPreference: self) { try? await sleep() }
        let address = job.map(WakeJob.address)
        step()
        defer {
            task.cancel()
            step()
            wake.map(WakeJob.run)
        }
        guard let address, let wake, sleeper == address else { return nil }
        return WakeJob.signature(of: wake)
    }

    /// The number that the runtime gives to the next task, which this makes and ends.
    var number: Int? {
        _ = Task.detached(executorPreference: self) {}
        defer { step() }
        // Such as `ExecutorJob(id: 7)`.
        return job.flatMap { Int(ExecutorJob($0).description.filter(\.isNumber)) }
    }

    private func step() {
        let next = job
        job = nil
        next?.runSynchronously(on: asUnownedTaskExecutor())
    }

    func enqueue(_ job: consuming ExecutorJob) { self.job = UnownedJob(job) }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        wake = UnownedJob(job)
        sleeper = WakeJob.currentTask
    }
}
#else
/// Sleeps stay on the runtime's own timers here.
package enum WakeJob {
    package static var isSupported: Bool { false }
    package static func number(ofTask task: UInt) -> UInt32 { 0 }
    package static func site(of job: UnownedJob) -> UInt64 { 0 }

    static func run(_ job: UnownedJob, after delay: Duration) {
        trap("a sleep on a loop, where there is none")
    }
}
#endif

extension WakeJob {
    /// A job is the address of an object of the runtime's; a task's job is its task.
    package static func address(of job: UnownedJob) -> UInt { unsafeBitCast(job, to: UInt.self) }

    package static var currentTask: UInt? {
        withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
    }

    /// Runs the job here, as a thread of the global executor does. A wake job ends without a switch
    /// to another executor then.
    package static func run(_ job: UnownedJob) {
        // Two words of zeroes stand for the global executor.
        job.runSynchronously(on: unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self))
    }
}
