// SPDX-License-Identifier: Apache-2.0

/// Hides the task-local values of the caller from what runs inside a call.
///
/// A loop's closure has no task-local values by itself. The runtime keeps values that are bound in
/// it by thread, so a wait that pumps the loop would lend them to every closure that it runs, and
/// to the tasks that these make. The language has one place that sees none of the values bound
/// around it: the deinit of an actor, which runs inside the release if the actor's executor is
/// current (SE-0371).
@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
private actor HiddenCall {
    private let body: Body

    init(_ body: Body) {
        self.body = body
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        Here.shared.asUnownedSerialExecutor()
    }

    isolated deinit {
        body.run()
    }
}

/// The closure that runs inside the call.
private struct Body: @unchecked Sendable {
    // because one thread makes it, runs it and releases it, all inside one call.
    let run: () -> Void
}

enum Curtain {
    /// Runs `body` inside this call. It sees no task-local values but those that it binds itself.
    ///
    /// - Complexity: O(1), an actor of a few words.
    static func drawn<R>(_ body: () -> R) -> R {
        guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else {
            return body()
        }
        var result: R?
        withoutActuallyEscaping({ result = body() }) { body in
            release(HiddenCall(Body(run: body)))
        }
        // A runtime that postpones the deinit leaves this empty.
        guard let result else { trap("the Swift runtime has put off the deinit of an actor") }
        return result
    }

    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    @inline(never)
    private static func release(_ call: consuming HiddenCall) {
        _ = consume call
    }
}

/// An executor that says it is current on every thread.
private final class Here: SerialExecutor {
    static let shared = Here()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func isIsolatingCurrentContext() -> Bool? { true }

    func checkIsolated() {}
}
