// SPDX-License-Identifier: Apache-2.0
// Stand-ins for Swift's tasks and for the code around `Backlog` in SwivelCore. A thread of the model is
// a task. A function that waits for a continuation blocks that thread.
internal import CSwivel
internal import Explorer
@preconcurrency internal import Stub

/// The stub's loop, with room for one post.
final class Loop: @unchecked Sendable {
    // because the record is guarded by the core, and the rest changes between executions.
    struct Configuration {
        let maxPendingPosts: Int? = 1
        let reportedMark: Int? = nil
        let onHighWater: (@Sendable (HighWater) -> Void)? = nil
    }

    let record: OpaquePointer
    let backlog: Backlog? = Backlog(Configuration())

    init(_ record: OpaquePointer) {
        self.record = record
        var config = swivel_config()
        Self.configureBacklog(&config)
        stub_limit_posts(1, config.has_room, Unmanaged.passUnretained(self).toOpaque())
    }

    static func owning(_ owner: UnsafeMutableRawPointer?) -> Loop? {
        owner.map { Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The stub's loop has real time, so no post is diverted.
    func divertOrRelease(_ words: swivel_work, _ status: Int32) -> Bool {
        Work.release(words)
        return false
    }
}

/// A model has no high water, and nothing to report.
enum WorkerPool {
    enum Shared {
        case pool

        func execute(_ work: @escaping @Sendable () -> Void) {
            expect(false, "no report is expected")
        }
    }

    static var shared: Shared { .pool }
}

/// The numbers of an execution, for threads 1 and 2 each.
enum Number {
    static let resumptions: Int32 = -1
    static let results: Int32 = 1
    /// How often its work ran.
    static let runs: Int32 = 3
    /// 1: its work was accepted. 2: refused.
    static let answers: Int32 = 5
}

/// A thread of the model.
final class PostingTask: Sendable {
    let cancellation = Cancellation()
    private let thread: Int32

    init(ofThread thread: Int32) { self.thread = thread }

    func resume(isAccepted: Bool) {
        runtime_give(Unmanaged.passUnretained(self).toOpaque())
        runtime_set(Number.results + thread, isAccepted ? 1 : 0)
        runtime_add(Number.resumptions + thread, 1)
        expect(runtime_value(Number.resumptions + thread) == 1, "a task is resumed once")
    }

    func wait() -> Bool {
        runtime_wait(Number.resumptions + thread, 1)
        runtime_take(Unmanaged.passUnretained(self).toOpaque())
        return runtime_value(Number.results + thread) == 1
    }
}

/// The tasks of threads 1 and 2.
// because no thread of a model changes them.
nonisolated(unsafe) var postingTasks: [PostingTask] = []

private var current: PostingTask { postingTasks[Int(explorer_thread()) - 1] }

var currentCancellation: Cancellation { current.cancellation }

struct UnsafeContinuation<Value, Failure>: Sendable {
    let task: PostingTask

    func resume(returning isAccepted: Bool) { task.resume(isAccepted: isAccepted) }
}

func withUnsafeContinuation(_ body: (UnsafeContinuation<Bool, Never>) -> Void) -> Bool {
    body(UnsafeContinuation(task: current))
    return current.wait()
}
