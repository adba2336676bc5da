// SPDX-License-Identifier: Apache-2.0
#if NIO
public import NIOCore
public import SwivelCore

extension Loop {
    /// Makes a loop that lives on an event loop of NIO: its closures run on the event loop's thread,
    /// in turns between the event loop's other work.
    ///
    /// A timer is kept and fired on the event loop itself, where ``NIOContext`` has a timer of
    /// `Loop.shared` fire and post there. In the event loop the loop has at most one task and one
    /// scheduled callback, however many posts and timers wait. Only descriptors and signals that
    /// the loop watches are noticed by another thread, that of `Loop.shared`, which wakes the event
    /// loop.
    ///
    /// It is the event loop that drives the loop: `run()` and `runOnce(_:)` elsewhere may collide
    /// with a turn, which traps. A closure that posts itself without end leaves the event loop no
    /// time for its channels, as such a task of NIO's own does.
    ///
    /// **Waiting:** a wait in one of the loop's closures runs the loop's other closures, and holds
    /// up the event loop. A wait for the loop's work in other closures of the event loop has no
    /// end: use a callback there.
    ///
    /// **The end:** the loop shuts down when it is released, at the latest in a turn that is under
    /// way. A shutdown from the loop's own closure ends it on the event loop; one from elsewhere
    /// runs or releases the closures that are left on the caller's thread. Shut the loop down before
    /// its event loop. When the event loop ends first, nothing runs any more: work stays, and is
    /// accepted, until the loop's shutdown, which releases and counts it. NIO then prints a message
    /// at the first post, once for each loop, and in its strict mode stops the program.
    ///
    /// Timers keep real time. An `EmbeddedEventLoop` and its like have virtual time, and would fire
    /// them at other instants.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - eventLoop: Runs the loop's turns. It is retained until the loop is released.
    ///   - configuration: How the loop behaves.
    /// - Returns: The loop. It is not retained by the event loop.
    /// - Throws: Like `Loop.init(_:)`.
    /// - Complexity: O(1), a few system calls. Later each wake allocates a task of the event loop,
    ///   and each turn that leaves an earlier deadline a scheduled callback.
    public static func hosted(
        by eventLoop: any EventLoop, _ configuration: Configuration = Configuration()
    ) throws(SwivelError) -> Loop {
        let host = NIOLoopHost(eventLoop)
        let loop = try Loop.hosted(by: host, configuration)
        host.begin(loop)
        return loop
    }
}
#endif
