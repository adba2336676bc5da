// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A timer that is armed again and again without an allocation: a timeout that each message moves.
///
/// Its closure is stored once. It fires once each time it is armed, on its loop, and never overlaps
/// itself. Releasing the last reference disarms the timer and releases the closure.
///
/// It takes a loop and no other context, because its closure runs in the turn in which it is due:
/// elsewhere one firing would meet the next. A ``Coalescer`` takes any context.
///
/// **Thread:** any.
public final class LoopTimer: Sendable {
    private let loop: Loop
    private let node: TimerNode

    /// A timer that is not armed. It retains the `loop`, where `work` runs each time it fires; on a
    /// loop that is shut down `work` is released now. A `label` names the closure to a ``Watchdog``
    /// and in ``Loop/pending(limit:file:line:)``.
    ///
    /// - Complexity: O(1), a node of the loop's wheel.
    @preconcurrency
    public init(on loop: Loop, label: StaticString? = nil, _ work: @escaping @Sendable () -> Void) {
        self.loop = loop
        node = TimerNode(on: loop, label: label, flags: 0) { _ in work() }
    }

    /// A timer that only marks when to check what is due: its closure decides, counts each closure
    /// of the program that it runs with ``countRun(_:)``, and may move the timer by its tick. One
    /// that is armed stands for work of the program. Virtual time does not move to one that is
    /// `isTimeless`: it waits for another clock.
    package init(
        on loop: Loop, label: StaticString? = nil, isTimeless: Bool = false,
        deciding work: @escaping @Sendable (Tick) -> Void
    ) {
        self.loop = loop
        let flags = SWIVEL_UNCOUNTED | (isTimeless ? SWIVEL_TIMELESS : 0)
        node = TimerNode(on: loop, label: label, flags: flags, work)
    }

    deinit { node.free() }

    /// Arms the timer, or moves it if it is armed: it fires once, `delay` from now.
    ///
    /// Never early: once the call has returned, the timer does not fire before the new deadline.
    /// Among timers with equal deadlines it comes last: a call that moves a timer counts as a new
    /// one. Zero or less means now, without a leeway, in order with the posts of this thread, never
    /// inside this call.
    ///
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation; for zero or less a post. Most deadlines are only
    ///   stored.
    @discardableResult
    public func arm(after delay: Duration) -> Bool { node.arm(after: delay.nanosecondsRoundedUp) }

    /// Arms the timer for `delay` from now, or up to `leeway` later, so that it shares a wake-up
    /// with others. Returns as ``arm(after:)`` does.
    ///
    /// - Complexity: O(1) without allocation; for zero or less a post.
    @discardableResult
    public func arm(after delay: Duration, leeway: Duration) -> Bool {
        let nanoseconds = delay.nanosecondsRoundedUp
        guard nanoseconds != 0 else { return swivel__reusable_move(node.timer, 0) }
        let deadline = swivel__saturating_add(swivel_loop_now(node.record), nanoseconds)
        return swivel_reusable_arm(node.timer, deadline, leeway.nanosecondsRoundedUp)
    }

    /// Arms the timer for `deadline` on the loop's clock, or up to `leeway` later. A deadline that
    /// has passed means now. Returns as ``arm(after:)`` does.
    ///
    /// - Complexity: O(1) without allocation; for a deadline that has passed a post.
    @discardableResult
    public func arm(at deadline: LoopClock.Instant, leeway: Duration = .zero) -> Bool {
        swivel_reusable_arm(node.timer, deadline.nanoseconds, leeway.nanosecondsRoundedUp)
    }

    /// Moves the timer of `tick` inside its closure; `nil`: to the loop's next turn, behind the
    /// posts that the closure has made. A loop that ends or refuses posts drops the move, and
    /// counts no refusal.
    static func rearm(_ tick: Tick, at nanoseconds: UInt64?) {
        let timer = tick.handle.timer
        guard let loop = timer.loop, swivel__is_own(loop) else { return }
        swivel__reusable_move(timer, nanoseconds.map { max($0, 1) } ?? 0)
    }

    /// Counts a closure of the program that the closure of a deciding timer is about to run.
    static func countRun(_ tick: Tick) {
        guard let loop = tick.handle.timer.loop else { return }
        swivel__count_run(loop, tick.scheduled.nanoseconds)
    }

    /// Disarms the timer. Returns ``CancelResult/cancelled`` if it was armed,
    /// ``CancelResult/running`` if its closure runs, else ``CancelResult/finished``.
    ///
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func disarm() -> CancelResult { node.disarm() }

    /// Whether the timer will fire unless it is disarmed.
    public var isArmed: Bool { node.isArmed }
}
