// SPDX-License-Identifier: Apache-2.0
#if NIO
public import NIOCore
public import SwivelCore

/// An event loop of NIO as a context: timers, `once`, futures, operators, all that takes a context
/// runs its closures there.
///
/// `Loop.shared` keeps the time of the timers, at the cost of a wheel node each, and a cancel is
/// absolute until the closure starts on the event loop. `EventLoop.scheduleTask` costs more and
/// leaves a cancelled task in a heap until its deadline.
///
/// A closure that reaches an event loop which is shut down is released without running: that counts
/// as a cancel, and a future that waits for it fails as abandoned. NIO prints a message then, and in
/// its strict mode stops the program.
///
/// **Waiting:** an event loop runs one closure at a time, and no wait runs its other work. In its
/// closures, a wait without a time limit for a future that needs the same event loop stops the
/// program with a message that names it, and does not hang. The library knows that need of work
/// submitted here, of callbacks here, of `EventLoopFuture.swivelFuture()`, and of all futures that
/// derive from these. It cannot know it of a promise that your own code completes there.
///
/// ```swift
/// let context = NIOContext(channel.eventLoop)
/// let idle = context.schedule(after: .seconds(30)) { channel.close(promise: nil) }
/// ```
public struct NIOContext: ExecutionContext {
    /// The event loop on which closures run.
    public let eventLoop: any EventLoop

    /// A context whose closures run on `eventLoop`.
    ///
    /// **Thread:** any.
    /// - Parameter eventLoop: Is retained.
    /// - Complexity: O(1).
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Runs `work` on the event loop, after this call has returned.
    ///
    /// **Thread:** any.
    /// - Parameter work: Runs once on the event loop, and is released.
    /// - Complexity: That of `EventLoop.execute`.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        eventLoop.execute(work)
    }

    /// Whether the caller is on the event loop. **Thread:** any.
    public var isCurrent: Bool { eventLoop.inEventLoop }
}

extension NIOContext: CustomStringConvertible {
    /// The event loop's own description, for messages.
    public var description: String { "the event loop \(eventLoop)" }
}
#else
/// Needs the trait `NIO`.
@available(
    *, unavailable,
    message: "SwivelNIO needs its trait: .package(..., traits: [\"NIO\"])"
)
public struct NIOContext {
    /// Needs the trait.
    public init(_ eventLoop: Any) {}
}
#endif
