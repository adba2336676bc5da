// SPDX-License-Identifier: Apache-2.0
// A stand-in for Swift's continuations: a thread of a model is the task, and waits to be resumed.
internal import Explorer
internal import SwivelCore

/// The effect of its continuation on a task.
final class Waiter: Sendable {
    private let resumptions = Shared()
    private let results = Shared()

    /// Blocks the calling thread, which is the task.
    func wait() {
        resumptions.wait(until: 1)
        runtime_take(Unmanaged.passUnretained(self).toOpaque())
    }

    func resume(isResult: Bool) {
        runtime_give(Unmanaged.passUnretained(self).toOpaque())
        if isResult { results.add() }
        resumptions.add()
        expect(resumptions.value == 1, "a task is resumed once")
    }

    var hasResumed: Bool { resumptions.value == 1 }
    var hasResult: Bool { results.value == 1 }
}

struct UnsafeContinuation<Value, Failure>: Sendable {
    let waiter: Waiter

    func resume(returning isResult: Bool) { waiter.resume(isResult: isResult) }
}

/// Asynchronous functions are compiled, and not run.
func withUnsafeContinuation<Value>(
    _ body: (UnsafeContinuation<Value, Never>) -> Void
) async -> Value {
    trap("no model runs tasks")
}

extension SwivelError {
    /// The production one is next to errors that the models leave out.
    var reason: String { "\(self)" }
}
