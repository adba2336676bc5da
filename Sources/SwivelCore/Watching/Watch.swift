// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file descriptor that a loop watches; see ``Loop/watch(_:for:label:file:line:_:)``.
///
/// Dropping it does nothing: the watch lasts until ``cancel()``, an error, or the loop's end.
///
/// **Thread:** any.
public final class Watch: Sendable {
    /// The descriptor.
    public let fileDescriptor: Int32
    private let watcher: Watcher

    init(
        _ descriptor: Int32, for interest: Readiness, on loop: Loop, label: StaticString? = nil,
        restsAfterNews: Bool = false, ended: (@Sendable () -> Void)? = nil,
        _ work: @escaping @Sendable (WatchEvent) -> Void
    ) {
        fileDescriptor = descriptor
        watcher = Watcher(
            work, label: label, site: Watcher.Listener(run: work).site,
            restsAfterNews: restsAfterNews, ended: ended)
        watcher.wanted.store(interest.wanted, ordering: .relaxed)
        watcher.start(on: loop) { watcher, loop in
            _ = watcher.add(descriptor, to: loop) { owner, record in
                var status: Int32
                repeat {
                    status = swivel__watch_descriptor(
                        loop.record, descriptor, watcher.wanted.load(ordering: .relaxed),
                        watcher.calls, owner, &record)
                } while status == -EEXIST && Watcher.closeCancelled(descriptor, on: loop)
                return status
            }
        }
    }

    /// Whether the closure may be called again.
    public var isActive: Bool { watcher.isActive }

    /// Ends the watch: its closure is not called any more. The descriptor may be closed then.
    ///
    /// - Returns: ``CancelResult/cancelled`` if the closure was waiting: it never starts again, and
    ///   was released before this returned. ``CancelResult/running`` if it runs, on this thread or
    ///   on another: it is released when it returns. Else ``CancelResult/finished``.
    /// - Complexity: O(1).
    @discardableResult
    public func cancel() -> CancelResult { watcher.cancel() }

    /// Ends the watch as ``cancel()`` does, and waits until a closure that runs has returned and
    /// has been released. In a task that the closure itself waits for, the call never returns.
    ///
    /// - Returns: The outcome, as for ``cancel()``.
    /// - Complexity: O(1); a few allocations while the closure is running.
    public func cancelAndWait() async -> CancelResult { await watcher.cancelAndWait() }

    /// Changes what the watch waits for to `interest`; if that is empty, the watch rests until the
    /// next call. Earlier events that are not in `interest` are not delivered.
    ///
    /// In the loop's own closures the change applies at once; on other threads when the loop takes
    /// it over, in order with this thread's posts.
    ///
    /// - Complexity: O(1); one system call if `interest` has a new member.
    public func rearm(for interest: Readiness) { watcher.rearm(for: interest) }
}

extension Loop {
    /// Calls `body` on the loop's thread whenever `fileDescriptor` (of a socket, a pipe, a
    /// terminal, an eventfd, …) is ready for `interest`, and once if the watch ends with an error.
    ///
    /// Readiness is a level, as with poll(2): as long as the descriptor is ready, `body` is called
    /// again in each turn. Read until there is no more, or rearm the watch for something else; a
    /// watch for ``Readiness/writable`` has something to do only while there is data to write. An
    /// empty `interest` waits for nothing until ``Watch/rearm(for:)``. Calls of one watch never
    /// overlap, even if `body` waits and so pumps the loop.
    ///
    /// Each turn delivers everything that was ready at its beginning before it fires timers that
    /// are due, in steps with posts in between. So data that arrived in time resets a timeout in
    /// time, even if the loop itself is late.
    ///
    /// The descriptor should be in non-blocking mode; outside of Linux libuv sets it. The loop does
    /// not own the descriptor: cancel the watch, which an event can do itself, then close the
    /// descriptor. If a descriptor is closed or reused while it is watched, the watch ends with an
    /// event that has a ``WatchEvent/error``: in the next turn if `body` closed it, else within a
    /// tenth of a second while the loop runs turns. A watch never gets an event of another file
    /// with the same number. Descriptors of ordinary files cannot be watched, and a loop watches a
    /// descriptor once. Errors come as events, too, never inside this call. A loop that is over
    /// releases `body`. Traps on a manual loop, whose time is not the descriptors'. The `label`
    /// names `body` in ``pending(limit:file:line:)`` and in a watchdog's reports.
    ///
    /// **Thread:** any. `body` runs on the loop's thread.
    /// - Returns: The watch.
    /// - Complexity: O(1); a few allocations and system calls. A call of `body` allocates nothing,
    ///   and on Linux costs no system call but the wait, and one more before a sleep.
    @preconcurrency
    @discardableResult
    public func watch(
        _ fileDescriptor: Int32, for interest: Readiness = .readable, label: StaticString? = nil,
        file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (WatchEvent) -> Void
    ) -> Watch {
        refuseManualWatch(file, line)
        return Watch(fileDescriptor, for: interest, on: self, label: label, body)
    }

    func refuseManualWatch(_ file: StaticString, _ line: UInt) {
        check(
            manual == nil,
            """
            a manual loop watches nothing: its time stands still, the system's does not; watch \
            on a loop with a thread, or call the closure from the test
            """, file: file, line: line)
    }
}
