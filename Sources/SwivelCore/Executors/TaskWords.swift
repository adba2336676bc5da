// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// A step or a sleep of a Swift task, as two words in a loop's queue or node, without an object.
///
/// This is the only file that relies on something that no accepted evolution proposal promises:
/// that a job is one word, which may be moved until it runs. (SE-0392 lets an executor keep jobs
/// and does not say how large they are.) ``jobsAreWords`` tries it once; if it fails, each job gets
/// an object. A continuation is one word by its declaration, which is frozen.
struct TaskWords {
    /// The meaning of the second word, which the first one tells.
    enum Kind: UInt32 {
        /// A job of an actor.
        case actorJob
        /// A job of a task that prefers the loop's task executor.
        case taskJob
        /// The same in an object.
        case actorJobInBox, taskJobInBox
        /// The continuation of a task that sleeps. Only nodes hold these.
        case sleep
    }

    let kind: Kind
    let word: UInt

    /// A sleeping task's continuation, which throws when the sleep does not end by itself.
    typealias Sleeper = UnsafeContinuation<Void, any Error>

    /// Whether a job can be kept as a word. Tried once in a process, with a real task's job.
    static var jobsAreWords: Bool { FirstUse.of(areWords) }
    private static let areWords: Bool = {
        guard MemoryLayout<UnownedJob>.size == MemoryLayout<UInt>.size else { return false }
        let trial = Trial()
        // The trial runs the job where it is enqueued, inside this call.
        Task(executorPreference: trial) { trial.hasRun.store(true, ordering: .relaxed) }
        return trial.hasRun.load(ordering: .relaxed)
    }()

    /// Runs its job at once, from the word.
    private final class Trial: TaskExecutor {
        let hasRun = Atomic(false)

        func enqueue(_ job: consuming ExecutorJob) {
            let whole = UnownedJob(job)
            let copy = unsafeBitCast(unsafeBitCast(whole, to: UInt.self), to: UnownedJob.self)
            let same = "\(copy)" == "\(whole)"
            (same ? copy : whole).runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private final class Box: Sendable {
        let job: UnownedJob

        init(_ job: UnownedJob) {
            self.job = job
        }
    }
}

extension TaskWords {
    /// A job's words, in a queue that can hold them.
    @inline(__always)
    init(_ job: consuming ExecutorJob, _ kind: Kind, inBox boxed: Bool = !jobsAreWords) {
        let job = UnownedJob(job)
        if boxed {
            word = UInt(bitPattern: Unmanaged.passRetained(Box(job)).toOpaque())
            self.kind = kind == .actorJob ? .actorJobInBox : .taskJobInBox
        } else {
            word = unsafeBitCast(job, to: UInt.self)
            self.kind = kind
        }
    }

    /// Whether the words are a task's and no closure's: a function's address never has its top bit
    /// set.
    @inline(__always)
    static func are(in work: swivel_work) -> Bool {
        Int(bitPattern: work.function) < 0
    }

    @inline(__always)
    init(_ work: swivel_work) {
        guard let kind = Kind(rawValue: swivel__job_kind(UInt64(work.function))) else {
            trap("no such kind of job: \(work)")
        }
        self.kind = kind
        word = work.context
    }

    /// The words of a sleep.
    @inline(__always)
    static func sleep(_ sleeper: Sleeper) -> swivel_work {
        swivel_work(
            function: UInt(swivel__job_word(Kind.sleep.rawValue)),
            context: unsafeBitCast(sleeper, to: UInt.self))
    }

    /// The task behind ``sleep(_:)``, once its words were taken out of their node.
    @inline(__always)
    var sleeper: Sleeper { unsafeBitCast(word, to: Sleeper.self) }

    /// The job. The caller runs it, once.
    @inline(__always)
    var job: UnownedJob {
        switch kind {
        case .actorJob, .taskJob:
            return unsafeBitCast(word, to: UnownedJob.self)
        case .actorJobInBox, .taskJobInBox:
            guard let box = UnsafeRawPointer(bitPattern: word) else { trap("a box is no address") }
            return Unmanaged<Box>.fromOpaque(box).takeRetainedValue().job
        case .sleep:
            trap("a sleep is no job")
        }
    }
}
