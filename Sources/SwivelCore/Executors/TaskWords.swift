// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A step or a sleep of a Swift task, as two words in a loop's queue or node, without an object.
///
/// A job and a continuation are one word each by their declarations, which are frozen.
struct TaskWords {
    /// The meaning of the second word, which the first one has.
    enum Kind: UInt32 {
        /// A job of an actor, through its loop's ``ActorExecutor``.
        case actorJob
        /// A job of a task that prefers the loop's task executor.
        case taskJob
        /// The continuation of a task that sleeps. Only nodes hold these.
        case sleep
        /// A job of an actor whose executor is the loop object itself.
        case loopJob
        /// A job of a task on a worker pool.
        case poolJob
        /// The end of a sleep in ``TaskSleeps``, whose task the second word is. Only nodes hold
        /// these.
        case wake
        /// A job of the main actor, whose executor stands on the loop.
        case mainJob

        fileprivate static let bits: UInt32 = 4

        /// The kind, with the epoch of the record's loop as far as it fits: for an actor's jobs.
        func number(epoch: UInt32) -> UInt32 { (epoch << Self.bits | rawValue) & 0xFFF_FFFF }
    }

    let kind: Kind
    let word: UInt
    /// Of a ``Kind/wake``: the number of the sleep.
    let serial: UInt32

    /// A sleeping task's continuation, which throws when the sleep does not end by itself.
    typealias Sleeper = UnsafeContinuation<Void, any Error>
}

extension TaskWords {
    @inline(__always)
    init(_ job: consuming ExecutorJob, _ kind: Kind) {
        word = WakeJob.address(of: UnownedJob(job))
        self.kind = kind
        serial = 0
    }

    /// Whether the words are a task's and no closure's: a function's address never has its top bit
    /// set.
    @inline(__always)
    static func are(in work: swivel_work) -> Bool { Int(bitPattern: work.function) < 0 }

    @inline(__always)
    init(_ work: swivel_work) {
        let number = swivel__message_index(UInt64(work.function))
        guard let kind = Kind(rawValue: number & (1 << Kind.bits - 1))
        else { trap("no such kind of job: \(work)") }
        self.kind = kind
        word = work.context
        serial = UInt32(truncatingIfNeeded: UInt64(work.function) >> 32) & Self.serials
    }

    /// Whether an actor's job is of a loop with this epoch, and not of one that had the record
    /// before.
    @inline(__always)
    static func areOf(_ epoch: UInt32, _ work: swivel_work) -> Bool {
        swivel__message_index(UInt64(work.function)) == Kind.actorJob.number(epoch: epoch)
    }

    @inline(__always)
    static func sleep(_ sleeper: Sleeper) -> swivel_work {
        swivel_work(
            function: UInt(swivel__message(SWIVEL_JOB, Kind.sleep.rawValue, 0)),
            context: unsafeBitCast(sleeper, to: UInt.self))
    }

    /// The bits of ``serial``.
    static let serials: UInt32 = 0x7FFF_FFFF

    static func wake(_ task: UInt, serial: UInt32) -> swivel_work {
        let function = swivel__message(SWIVEL_JOB, Kind.wake.rawValue, serial)
        return swivel_work(function: UInt(function), context: task)
    }

    /// A job of a task, as work of a pool.
    static func onPool(_ job: UnownedJob) -> swivel_work {
        swivel_work(
            function: UInt(swivel__pool_job_word(Kind.poolJob.rawValue)),
            context: WakeJob.address(of: job))
    }

    /// The task behind ``sleep(_:)``, once its words were taken out of their node.
    @inline(__always)
    var sleeper: Sleeper { unsafeBitCast(word, to: Sleeper.self) }

    /// The job, unless it is a sleep. The caller runs it, once.
    @inline(__always)
    var job: UnownedJob { unsafeBitCast(word, to: UnownedJob.self) }
}
