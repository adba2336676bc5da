// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A failure that no program can rule out: the system refuses a descriptor, a thread or memory, a
/// loop is shut down, a time limit passes.
public struct SwivelError: Error, Hashable, Sendable {
    /// The kind of failure. Compare with the static members; new ones may come.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The loop is shut down or shutting down.
        public static let shutdown = Code(description: "shutdown")
        /// A promise was dropped before it was completed.
        public static let abandoned = Code(description: "abandoned")
        /// A time limit passed.
        public static let timedOut = Code(description: "timedOut")
        /// The operation was cancelled.
        public static let cancelled = Code(description: "cancelled")
        /// The call would wait for something that only its caller can do.
        public static let wouldDeadlock = Code(description: "wouldDeadlock")
        /// The loop was created before a `fork` and is dead in the child.
        public static let forked = Code(description: "forked")
        /// The process or the system is out of file descriptors.
        public static let tooManyFiles = Code(description: "tooManyFiles")
        /// The process or the system is out of memory.
        public static let outOfMemory = Code(description: "outOfMemory")
        /// The system refused a thread.
        public static let threadCreation = Code(description: "threadCreation")
        /// A configuration value is out of range.
        public static let invalidConfiguration = Code(description: "invalidConfiguration")
        /// A queue is full.
        public static let queueFull = Code(description: "queueFull")
        /// A file descriptor is not open, or was closed while a loop watched it.
        public static let descriptorClosed = Code(description: "descriptorClosed")
        /// A file descriptor cannot be watched, as those of ordinary files.
        public static let notPollable = Code(description: "notPollable")
        /// The loop watches the file descriptor already.
        public static let alreadyWatched = Code(description: "alreadyWatched")
        /// Another failure of the system; see ``SwivelError/errno``.
        public static let system = Code(description: "system")
    }

    /// The kind of failure.
    public let code: Code
    /// A description of the failure; the system's own words where it has some.
    public let message: String
    /// The system's error number, or 0.
    public let errno: Int32

    /// An error with this `code`, your own `message`, and the system's `errno`, or 0.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(_ code: Code, _ message: String, errno: Int32 = 0) {
        self.code = code
        self.message = message
        self.errno = errno
    }
}

extension SwivelError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension SwivelError {
    /// Thrown by a wait whose loop ends.
    static var shutDown: SwivelError {
        SwivelError(.shutdown, "the loop that keeps the time of this wait is shut down")
    }

    /// The error behind a status of the C core.
    init(status: Int32) {
        let code: Code =
            switch Int(status) {
            case SWIVEL_ESHUTDOWN: .shutdown
            case SWIVEL_EFORKED: .forked
            case SWIVEL_EFULL: .queueFull
            case SWIVEL_ECONFIG: .invalidConfiguration
            case SWIVEL_EDEADLOCK: .wouldDeadlock
            case -Int(EMFILE), -Int(ENFILE): .tooManyFiles
            case -Int(ENOMEM): .outOfMemory
            case -Int(EAGAIN): .threadCreation
            default: .system
            }
        self.init(
            code, String(cString: swivel_status_text(status)),
            errno: status > -20_000 ? -status : 0)
    }
}
