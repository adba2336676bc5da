// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A timer that is armed again and again without an allocation: a timeout that each message moves.
///
/// Its closure is stored once. It fires once each time it is armed, on its loop, and never overlaps
/// itself. Releasing the last reference disarms the timer and releases the closure.
public final class LoopTimer: @unchecked Sendable {
    // because the node behind `timer` is guarded by its state word; nothing else changes.
    let loop: Loop
    private let timer: swivel_timer
    private let record: OpaquePointer
    /// `nil`: the loop refused the timer.
    private let node: UnsafeMutableRawPointer?

    /// A timer that is not armed.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - loop: Where `work` runs. The timer retains it.
    ///   - label: Names the closure to a ``Watchdog``, and the timer in
    ///     ``Loop/pending(limit:file:line:)``.
    ///   - work: Runs each time the timer fires. On a loop that is shut down it is released now.
    /// - Complexity: O(1), a node of the loop's wheel.
    public convenience init(
        on loop: Loop, label: StaticString? = nil, _ work: @escaping @Sendable () -> Void
    ) {
        self.init(on: loop, label: label, ticking: { _ in work() })
    }

    /// A timer whose closure gets the tick. With it, the closure can move the timer without
    /// retaining it.
    init(
        on loop: Loop, label: StaticString? = nil, ticking work: @escaping @Sendable (Tick) -> Void
    ) {
        self.loop = loop
        let words = RepeatingWork.words(Label.labelled(label, work))
        timer = swivel_kept_create(loop.record, words)
        record = loop.record
        node = swivel__kept_node(timer)
        if node == nil {
            Work.release(words)
        }
    }

    deinit {
        swivel_kept_free(timer)
    }

    /// Arms the timer, or moves it if it is armed: it fires once, `delay` from now.
    ///
    /// Never early. Once the call has returned, the timer does not fire before the new deadline,
    /// whichever thread moved it. Among timers with equal deadlines it comes last: a call that moves
    /// a timer counts as a new one.
    ///
    /// **Thread:** any.
    /// - Parameter delay: From now; zero or less means now, in order with the posts of this thread,
    ///   never inside this call.
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation; for zero or less a post. Most deadlines are only stored.
    @discardableResult
    public func arm(after delay: Duration) -> Bool {
        guard let node else { return false }
        let nanoseconds = delay.nanosecondsRoundedUp
        guard nanoseconds != 0 else { return swivel__kept_move(timer, 0) }
        guard swivel__is_own(record) else {
            let deadline = swivel__saturating_add(swivel_loop_now(record), nanoseconds)
            return swivel__kept_move(timer, deadline)
        }
        return swivel__own_kept_arm(
            record, timer.index, node, swivel__own_deadline(record, nanoseconds))
    }

    /// Arms the timer, or moves it, with a leeway; see ``arm(after:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - delay: From now; zero or less means now, without the leeway.
    ///   - leeway: How much later it may fire, to share a wake-up with others.
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation; for zero or less a post.
    @discardableResult
    public func arm(after delay: Duration, leeway: Duration) -> Bool {
        let nanoseconds = delay.nanosecondsRoundedUp
        guard nanoseconds != 0 else { return swivel__kept_move(timer, 0) }
        let deadline = swivel__saturating_add(swivel_loop_now(record), nanoseconds)
        return swivel_kept_arm(timer, deadline, leeway.nanosecondsRoundedUp)
    }

    /// Arms the timer for an instant, or moves it there; see ``arm(after:)``.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - deadline: On the loop's clock. One that has passed means now, without the leeway.
    ///   - leeway: How much later it may fire, to share a wake-up with others.
    /// - Returns: False if the loop is shut down.
    /// - Complexity: O(1) without allocation; for a deadline that has passed a post.
    @discardableResult
    public func arm(at deadline: LoopClock.Instant, leeway: Duration = .zero) -> Bool {
        swivel_kept_arm(timer, deadline.nanoseconds, leeway.nanosecondsRoundedUp)
    }

    /// ``arm(at:leeway:)`` without a leeway, without a C call on the loop's own thread, and without
    /// a post for an instant that has passed: many threads may do this without pause.
    @inline(__always)
    func arm(at nanoseconds: UInt64) -> Bool {
        guard let node, swivel__is_own(record) else {
            return swivel__kept_move(timer, max(nanoseconds, 1))
        }
        return swivel__own_kept_arm(record, timer.index, node, max(nanoseconds, 1))
    }

    /// Moves the timer of `tick` from inside its closure.
    static func rearm(_ tick: Tick, at nanoseconds: UInt64) {
        swivel__kept_move(tick.handle.timer, max(nanoseconds, 1))
    }

    /// The same in the loop's next turn, or at once if there is no memory for a post.
    static func rearmNextTurn(_ tick: Tick, of loop: Loop, at nanoseconds: UInt64) {
        let notice = DropNotice(tick) { tick in
            // A loop that closes drops the post, and would count a refusal.
            let loop = tick.handle.timer.loop
            if let loop, swivel_loop_refusal(loop) == SWIVEL_OK { rearm(tick, at: nanoseconds) }
        }
        loop.executeBeyondLimit { rearm(notice.dismiss(), at: nanoseconds) }
    }

    /// Disarms the timer: it does not fire before it is armed again.
    ///
    /// **Thread:** any.
    /// - Returns: ``CancelResult/cancelled`` if it was armed, ``CancelResult/running`` if its
    ///   closure is under way, else ``CancelResult/finished``.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func disarm() -> CancelResult {
        guard let node else { return .finished }
        guard swivel__is_own(record) else {
            return CancelResult(swivel_kept_disarm(timer))
        }
        return CancelResult(swivel__own_kept_disarm(record, node))
    }

    /// Whether the loop refuses to arm the timer.
    var isOver: Bool { loop.isOver }

    /// The time on the timer's clock, in nanoseconds: ``arm(after:)`` counts from it.
    @inline(__always)
    var now: UInt64 {
        swivel__is_own(record) ? swivel__own_deadline(record, 0) : swivel_loop_now(record)
    }

    /// Whether the timer will fire unless it is disarmed. **Thread:** any.
    public var isArmed: Bool {
        swivel_kept_is_armed(timer)
    }
}
