// SPDX-License-Identifier: Apache-2.0

/// Hides the task-local values of the caller from what runs inside a call.
///
/// A closure of a loop has no task-local values by itself, and the runtime keeps those that are bound
/// in it by thread: a wait that pumps the loop would lend them to every closure that it runs, and to
/// the tasks that these make. The language knows one place where values that are bound around it are
/// not seen, whoever's they are: the deinit of an actor, which runs inside the release where its
/// executor is the current one (SE-0371).
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

/// What runs inside the call.
private struct Body: @unchecked Sendable {
    // because one thread makes it, runs it and releases it, all inside one call.
    let run: () -> Void
}

enum Curtain {
    /// Runs `body` inside this call, where no task-local values are bound but what it binds itself.
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
        // A runtime that puts the deinit off would have left this empty.
        guard let result else { trap("the Swift runtime has put off the deinit of an actor") }
        return result
    }

    @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    @inline(never)
    private static func release(_ call: consuming HiddenCall) {
        _ = consume call
    }
}

/// An executor that is current wherever it is asked.
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
