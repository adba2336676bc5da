// SPDX-License-Identifier: Apache-2.0

/// Puts the sleeps of a whole program, or all of its Swift concurrency, on Swivel. Experimental: it
/// stands on interfaces that a new version of Swift may change.
///
/// ```swift
/// @main struct Server {
///     static func main() async throws {
///         try SwivelRuntime.install(.everything)
///         try await serve()
///     }
/// }
/// ```
///
/// Nothing of a process changes before ``install(_:mainActor:)`` is called, and nothing in a
/// process that does not call it. It cannot be taken back.
public enum SwivelRuntime {
    /// The extent of an installation.
    public enum Mode: Hashable, Sendable {
        /// `Task.sleep` and the sleeps of `ContinuousClock` and `SuspendingClock`, in whatever
        /// library. They are timers of one loop with a thread of its own. Tasks run where they did.
        case timers
        /// These, and every task that prefers no other executor: it runs on
        /// `WorkerPool.shared`, whose threads are replaced while they block, by its priority.
        case everything
    }

    /// Where the main actor lives.
    public enum MainActorPlace: Hashable, Sendable {
        /// On the platform's executor, which runs the main queue of Dispatch.
        case platform
        /// On `Loop.main`, which the main thread has to run: an asynchronous `main` does that by
        /// itself, a synchronous one with `Loop.main.run()`.
        case loop
    }

    /// Moves the sleeps, or all tasks, of this process to Swivel, for good.
    ///
    /// Call it on the first line of `main`, before anything makes a task; the task of an
    /// asynchronous `main` is the only one that may exist. With ``MainActorPlace/loop`` it must
    /// come before that one as well: in a synchronous `main`, or by the product
    /// `SwivelRuntimeAtStart`.
    ///
    /// **Thread:** any, while no other thread uses tasks.
    /// - Parameters:
    ///   - mode: The extent: sleeps, or tasks too.
    ///   - mainActor: The place of the main actor.
    /// - Throws: ``InstallationError``, and nothing has changed: on a toolchain or a platform that
    ///   is not supported (Linux with Swift 6.3 is), the second time, after the first task, or if
    ///   another library has taken the runtime's executors.
    /// - Complexity: O(1), a loop and its thread.
    public static func install(
        _ mode: Mode, mainActor: MainActorPlace = .platform
    ) throws(InstallationError) {
        try Installation.install(mode, mainActor)
    }

    /// The mode that was installed in this process; `nil`: none.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public static var installed: Mode? { Installation.mode }
}

/// The reason why ``SwivelRuntime`` was not installed.
public struct InstallationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons. New ones may come.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name.
        public let description: String

        /// The platform or the version of Swift is not supported.
        public static let unsupported = Reason(description: "unsupported")
        /// Swivel is installed already.
        public static let installed = Reason(description: "installed")
        /// Tasks were made before.
        public static let tooLate = Reason(description: "tooLate")
        /// Another library has taken the runtime's executors.
        public static let taken = Reason(description: "taken")
        /// The system refused a descriptor, a thread or memory.
        public static let system = Reason(description: "system")
    }

    /// The kind of reason.
    public let reason: Reason
    /// The reason in words, with a remedy.
    public let message: String

    /// The kind and the words.
    public var description: String { "\(reason): \(message)" }

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}
