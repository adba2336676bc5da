// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// The operations that a file descriptor is ready for, or that a watch is to wait for.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits, as the C core has them.
    public let rawValue: Int32

    /// The members that the bits of `rawValue` stand for.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A read returns data, the end of the data or an error, without waiting.
    public static let readable = Readiness(rawValue: Int32(SWIVEL_READABLE))
    /// A write takes data or returns an error, without waiting.
    public static let writable = Readiness(rawValue: Int32(SWIVEL_WRITABLE))
    /// The other side has closed, or sends nothing any more. A watch that does not wait for it
    /// gets the end as ``readable``.
    public static let hangUp = Readiness(rawValue: Int32(SWIVEL_HUNG_UP))
    /// There is urgent data, or a change that poll(2) calls exceptional.
    public static let priority = Readiness(rawValue: Int32(SWIVEL_PRIORITY))
    /// The descriptor has an error, which the next read or write returns and `SO_ERROR` holds. It
    /// is always reported; a watch need not wait for it.
    public static let failure = Readiness(rawValue: Int32(SWIVEL_FAULTY))

    /// The members that a watch can wait for, as the C core has them.
    var wanted: Int32 { rawValue & 15 }
}

/// A watch's news of its file descriptor.
///
/// **Thread:** any.
public struct WatchEvent: Sendable {
    /// The descriptor or the signal.
    let number: Int32
    /// The bits of ``ready``.
    let events: Int32
    /// Why no more events come; 0: more may.
    let status: Int32
    let watcher: Watcher

    /// The operations that do not wait; empty if there is an ``error``.
    public var ready: Readiness { Readiness(rawValue: events) }
    /// Why the watch has ended; `nil`: it has not. The descriptor was closed under it
    /// (``SwivelError/Code/descriptorClosed``), is none that can be watched
    /// (``SwivelError/Code/notPollable``), is watched by this loop already
    /// (``SwivelError/Code/alreadyWatched``), or the system refuses.
    public var error: SwivelError? {
        status == SWIVEL_OK ? nil : SwivelError(watching: number, status)
    }

    /// A read does not wait.
    public var isReadable: Bool { ready.contains(.readable) }
    /// A write does not wait.
    public var isWritable: Bool { ready.contains(.writable) }
    /// The other side has closed, or sends nothing any more.
    public var hasHungUp: Bool { ready.contains(.hangUp) }
    /// The descriptor has an error, which the next read or write returns.
    public var hasFailed: Bool { ready.contains(.failure) }

    /// Ends the event's watch; see ``Watch/cancel()``. In the closure that got the event it returns
    /// ``CancelResult/running``. The sequence of ``Loop/events(of:for:file:line:)`` ends.
    ///
    /// - Complexity: O(1).
    @discardableResult
    public func cancel() -> CancelResult { watcher.cancel() }

    /// Changes what the event's watch waits for to `interest`; see ``Watch/rearm(for:)``.
    ///
    /// - Complexity: O(1); one system call if `interest` has a new member.
    public func rearm(for interest: Readiness) { watcher.rearm(for: interest) }
}

extension WatchEvent: Hashable {
    /// Whether `one` and `other` have the same readiness and error.
    ///
    /// - Complexity: O(1).
    public static func == (one: WatchEvent, other: WatchEvent) -> Bool {
        one.ready == other.ready && one.error == other.error
    }

    /// Passes the readiness and the error to `hasher`.
    ///
    /// - Complexity: O(1).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ready)
        hasher.combine(error)
    }
}

extension SwivelError {
    /// Why a watch of `descriptor` has ended.
    init(watching descriptor: Int32, _ status: Int32) {
        switch -status {
        case EBADF:
            self.init(
                .descriptorClosed,
                """
                descriptor \(descriptor) is not open, or was closed while the loop watched it: \
                cancel the watch before you close its descriptor
                """, errno: -status)
        case EPERM:
            self.init(
                .notPollable,
                """
                descriptor \(descriptor) cannot be watched: it is an ordinary file or a directory, \
                which is always ready
                """, errno: -status)
        case EEXIST:
            self.init(
                .alreadyWatched,
                """
                this loop watches descriptor \(descriptor) already: wait for all events in one \
                watch, or give the other one a dup(2) of it
                """, errno: -status)
        default:
            self.init(status: status)
        }
    }
}

extension Watcher {
    /// Watches a descriptor for something else.
    func rearm(for interest: Readiness) {
        wanted.store(interest.wanted, ordering: .relaxed)
        onLoop { watcher in watcher.applyWanted() }
    }
}
