// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The executor of one loop's actors, for the Swift runtime. It lives as long as the process.
///
/// The runtime keeps bare references to executors. An actor that does not retain its loop may
/// outlive the loop: its jobs reach this object, and trap. The loop's record is permanent and
/// serves other loops later; its epoch distinguishes them, here and when the record's loop runs a
/// job.
final class ActorExecutor: SerialExecutor, @unchecked Sendable {
    // because the core guards the record, and the lock guards the reference; nothing else changes.
    private struct Reference {
        weak var loop: Loop?
    }

    /// All that were ever made, so that leak checkers find them.
    private static let all = Lock<[ActorExecutor]>.ofProcess { _ in [] }

    private let record: OpaquePointer
    private let epoch: UInt32
    private let reference: Lock<Reference>

    init(_ loop: Loop) {
        record = loop.record
        epoch = swivel__loop_epoch(loop.record)
        reference = Lock(Reference(loop: loop))
        Self.all.withLock { $0.append(self) }
    }

    /// The loop; `nil` once it is gone.
    private var loop: Loop? { reference.withLock { $0.loop } }

    func enqueue(_ job: consuming ExecutorJob) {
        let words = TaskWords(job, .actorJob)
        TaskSleeps.enqueued(words.job)
        guard swivel__loop_epoch(record) == epoch else { Self.isGone() }
        let status = swivel__post_job(record, words.kind.number(epoch: epoch), UInt64(words.word))
        guard status != SWIVEL_OK else { return }
        guard let loop else { Self.isGone() }
        loop.tasks.enqueueLate(words, on: loop, Int(status))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        guard let loop else { Self.isGone() }
        loop.checkIsolated()
    }

    func isIsolatingCurrentContext() -> Bool? {
        swivel__loop_epoch(record) == epoch && swivel_loop_is_current(record)
    }

    static func isGone() -> Never {
        trap("a job of a loop that is gone: an actor must retain the loop that it lives on")
    }
}
