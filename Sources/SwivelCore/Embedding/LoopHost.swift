// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// A program's own event loop, in which a Swivel loop lives, and which cannot watch a descriptor.
///
/// The host calls `runOnce(.noWait)` of its loop, on one thread at a time: soon after each
/// ``wake()``, and when the instant of the last ``wake(at:)`` has come. Further calls do no harm.
public protocol LoopHost: Sendable {
    /// There is something to do. The host calls `runOnce(.noWait)` soon, and not inside this
    /// function: that traps.
    ///
    /// **Thread:** any, with a post or a timer of that thread; also the host's own, at the end of
    /// `runOnce(_:)` or `run()`, if work is left.
    /// - Complexity: Should be O(1): each post that finds the loop asleep calls it.
    func wake()

    /// There is nothing to do before `deadline`, on the real clock. The host calls
    /// `runOnce(.noWait)` then, unless ``wake()`` comes first. It replaces the deadline of an
    /// earlier call.
    ///
    /// **Thread:** the host's, at the end of `runOnce(_:)` or `run()`.
    /// - Complexity: Should be O(1): each `runOnce(_:)` may call it.
    func wake(at deadline: LoopClock.Instant)
}

/// A loop's side of its host.
final class LoopHosting: Sendable {
    private let host: any LoopHost
    /// The watch of the hosted loop's descriptor.
    private let watch = Lock<Watch?>(nil)

    init(_ host: any LoopHost) { self.host = host }

    func configure(_ config: inout swivel_config) {
        config.host = Unmanaged.passUnretained(self).toOpaque()
        config.host_wake = { host in
            guard let host else { return }
            Unmanaged<LoopHosting>.fromOpaque(host)._withUnsafeGuaranteedRef { $0.host.wake() }
        }
        config.host_wake_at = { host, instant in
            guard let host else { return }
            Unmanaged<LoopHosting>.fromOpaque(host)._withUnsafeGuaranteedRef {
                $0.host.wake(at: LoopClock.Instant(nanoseconds: instant))
            }
        }
    }

    /// Watches the loop's descriptor on ``Loop/shared`` for the host, once the loop watches
    /// anything. **Thread:** any.
    func watchDescriptor(of loop: Loop) {
        watch.withLock { watch in
            if watch == nil, !loop.isOver {
                watch = Watch(
                    loop.fileDescriptor, for: .readable, on: .shared, restsAfterNews: true
                ) { [host] _ in host.wake() }
            }
        }
    }

    /// After a turn: events that it has left wake the host again.
    func hasTurned() { watch.withLock { $0 }?.rearm(for: .readable) }

    /// The loop is over.
    func end() { watch.withLock { $0.take() }?.cancel() }
}

extension Loop {
    /// Returns a loop without a thread, with this `configuration`, for a `host` that cannot watch a
    /// descriptor.
    ///
    /// The host calls `runOnce(.noWait)` after each wake; see ``LoopHost``. The first call may come
    /// at any time; posts before it wake the host. A host that can watch ``fileDescriptor`` needs
    /// no more than ``embedded(_:)``. The descriptors and signals that a hosted loop watches are
    /// noticed by ``shared``, which wakes the host. The loop shuts down when it is released, and
    /// retains the host until then.
    ///
    /// **Thread:** any.
    /// - Throws: Like ``init(_:)``.
    /// - Complexity: O(1), a few system calls.
    public static func hosted(
        by host: some LoopHost, _ configuration: Configuration = Configuration()
    ) throws(SwivelError) -> Loop {
        try Loop(configuration, SWIVEL_CALLER, hosting: LoopHosting(host))
    }
}
