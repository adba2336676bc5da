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
    private let call: Call

    init(_ call: Call) {
        self.call = call
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        Here.shared.asUnownedSerialExecutor()
    }

    isolated deinit {
        call.run(call.argument)
    }
}

/// The work that runs inside the call.
private struct Call: @unchecked Sendable {
    // because one thread makes it, runs it and releases it, all inside one call.
    let argument: UnsafeMutableRawPointer
    let run: (UnsafeMutableRawPointer) -> Void
}

/// Work that lies on its thread's stack, where no closure has to be allocated for it.
protocol Hidden {
    /// Runs behind the curtain, once.
    mutating func run()
}

enum Curtain {
    private struct Once<Work: Hidden> {
        var work: Work
        var hasRun = false
    }

    /// Runs `work` inside this call. It sees no task-local values but those that it binds itself.
    ///
    /// - Returns: `work` as it has left itself.
    /// - Complexity: O(1), an actor of a few words.
    static func drawn<Work: Hidden>(_ work: Work) -> Work {
        var once = Once(work: work)
        guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else {
            once.work.run()
            return once.work
        }
        withUnsafeMutablePointer(to: &once) { once in
            release(
                HiddenCall(
                    Call(argument: once) {
                        let once = $0.assumingMemoryBound(to: Once<Work>.self)
                        once.pointee.work.run()
                        once.pointee.hasRun = true
                    }))
        }
        if !once.hasRun { trap("the Swift runtime has put off the deinit of an actor") }
        return once.work
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
