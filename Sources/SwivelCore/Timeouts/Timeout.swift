// SPDX-License-Identifier: Apache-2.0

/// The limit of a `withTimeout`, which its body may move.
///
/// **Thread:** any.
public final class Timeout: Sendable {
    let core: TimeoutCore
    private let limit: Duration
    private let timer: LoopTimer
    private let loop: Loop

    init(_ limit: Duration, on loop: Loop) {
        core = TimeoutCore(until: loop.now.advanced(by: limit), within: .ofTask)
        self.limit = limit
        self.loop = loop
        timer = core.timer(on: loop)
    }

    /// Arms the timer. False: the loop is shut down.
    func start() -> Bool { timer.arm(at: deadline) }

    /// The body has ended. Frees the timer, for good.
    func stop() { timer.disarm() }

    /// When the body is cancelled, on the loop's clock.
    public var deadline: LoopClock.Instant { core.deadline }

    /// Whether the limit has passed, and the body has been cancelled for it.
    public var isExpired: Bool { core.reason == .timedOut }

    /// Adds `duration` to the deadline. A negative one brings it nearer.
    ///
    /// - Returns: False if it has passed already, or the body has ended.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func extend(by duration: Duration) -> Bool { move { $0.advanced(by: duration) } }

    /// Starts the whole limit again from now: for a body that has made progress.
    ///
    /// - Returns: False if it has passed already, or the body has ended.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func restart() -> Bool {
        let deadline = loop.now.advanced(by: limit)
        return move { _ in deadline }
    }

    private func move(_ next: (LoopClock.Instant) -> LoopClock.Instant) -> Bool {
        core.move(at: loop.now, next) { timer.arm(at: $0) }
    }
}
