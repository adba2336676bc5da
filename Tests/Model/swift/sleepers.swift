// SPDX-License-Identifier: Apache-2.0
// Stand-ins for Swift's tasks and for the code around `Sleep` in SwivelCore. A thread of the model is
// the task. A function that waits for a continuation blocks that thread.
internal import CSwivel
internal import CSwivel.Internal
internal import Explorer
@preconcurrency internal import Stub
internal import Synchronization

/// How often the task was resumed, and how often with an error.
private let resumptions: Int32 = 0
private let errors: Int32 = 1

/// The one task of a model, and what its loop holds of it.
enum SleepingTask {
    // because each has one writer, and who reads it waits for a number to change, or has the lock.
    nonisolated(unsafe) static var work = stub_work()
    // because no thread of a model changes it.
    nonisolated(unsafe) fileprivate static var cancellation: Cancellation?

    static var isResumed: Bool { runtime_value(resumptions) == 1 }
    static var hasFailed: Bool { runtime_value(errors) == 1 }

    static func reset() {
        cancellation = Cancellation()
        work = stub_work()
        work.body = { SleepingTask.resume(isError: false) }
    }

    static func close() { cancellation = nil }

    static func resume(isError: Bool) {
        runtime_give(&lockOfTask)
        runtime_add(errors, isError ? 1 : 0)
        runtime_add(resumptions, 1)
        expect(runtime_value(resumptions) == 1, "a task is resumed once")
    }

    static func wait() {
        runtime_wait(resumptions, 1)
        runtime_take(&lockOfTask)
    }

    static func cancel() { cancellation?.cancel() }

    nonisolated(unsafe) private static var lockOfTask = 0  // because its address alone is used.
}

struct UnsafeContinuation<Value, Failure> {
    func resume(throwing: any Error) { SleepingTask.resume(isError: true) }
}

func withUnsafeThrowingContinuation(
    _ body: (UnsafeContinuation<Void, any Error>) -> Void
) throws {
    body(UnsafeContinuation())
    SleepingTask.wait()
}

/// A model has one task.
var currentCancellation: Cancellation {
    guard let cancellation = SleepingTask.cancellation else { fatalError("no task is under way") }
    return cancellation
}

struct CancellationError: Error {}

struct SwivelError: Error {
    enum Code { case outOfMemory, shutdown }

    init(_: Code, _: String) {}

    static var shutDown: SwivelError { SwivelError(.shutdown, "") }
}

struct TaskWords {
    typealias Sleeper = UnsafeContinuation<Void, any Error>

    init(_: swivel_work) {}

    static func sleep(_: Sleeper) -> swivel_work { stub_words(&SleepingTask.work) }

    var sleeper: Sleeper { Sleeper() }
}

struct TimerHandle {
    let id: UInt64

    /// As the production one.
    init(_ timer: swivel_timer) { id = UInt64(timer.generation) << 32 | UInt64(timer.index) }
}

enum TimerRequest {
    enum Start {
        case after(UInt64)
        case at(UInt64)
    }
}

final class Loop {
    let record: OpaquePointer

    init(_ record: OpaquePointer) { self.record = record }

    var refusal: SwivelError? { nil }

    func start(_ start: TimerRequest.Start, leeway: UInt64, _ words: swivel_work) -> swivel_timer {
        switch start {
        case .after(let delay): swivel_schedule(record, delay, leeway, words)
        case .at(let instant): swivel_schedule_at(record, instant, leeway, words)
        }
    }
}

/// A loop of a model has no virtual time.
enum Tracking {
    static func fallAsleep(on loop: Loop) {}
    static func awake(on loop: Loop) {}
}
