// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A node of a loop's wheel that is armed again and again: a ``LoopTimer`` without the object. Its
/// maker frees it once, and retains the loop until then; the closure may free it without that, on
/// the loop's thread.
struct TimerNode: @unchecked Sendable {
    // because the core guards the node by its state word, and the rest is constant.
    let timer: swivel_timer
    let record: OpaquePointer
    /// `nil`: the loop refused the timer.
    private let node: UnsafeMutableRawPointer?

    /// A timer that is not armed, with the flags `SWIVEL_UNCOUNTED` and `SWIVEL_TIMELESS` or none.
    /// On a loop that is shut down `work` is released now.
    init(
        on loop: Loop, label: StaticString?, flags: Int, _ work: @escaping @Sendable (Tick) -> Void
    ) {
        let words = RepeatingWork.words(Label.labelled(label, work))
        timer = swivel__reusable_create(loop.record, words, UInt64(flags))
        record = loop.record
        node = swivel__reusable_node(timer)
        if node == nil { Work.release(words) }
    }

    /// Arms the timer for `nanoseconds` from now, or moves it there. False: the loop refuses.
    @inline(__always)
    func arm(after nanoseconds: UInt64) -> Bool {
        guard let node, nanoseconds != 0 else { return swivel__reusable_move(timer, 0) }
        guard swivel__is_own(record) else {
            let deadline = swivel__saturating_add(swivel_loop_now(record), nanoseconds)
            return swivel__reusable_move(timer, deadline)
        }
        return swivel__own_reusable_arm(timer, node, swivel__own_deadline(record, nanoseconds))
    }

    /// Arms the timer for an instant, or moves it there, without a post for one that has passed:
    /// many threads may do this without pause. False: the loop refuses.
    @inline(__always)
    func arm(at nanoseconds: UInt64) -> Bool {
        guard let node, swivel__is_own(record) else {
            return swivel__reusable_move(timer, max(nanoseconds, 1))
        }
        return swivel__own_reusable_arm(timer, node, max(nanoseconds, 1))
    }

    /// Arms the timer for an instant, or moves it there. One that has passed is due among the
    /// thread's posts.
    func arm(atCalled nanoseconds: UInt64) { swivel_reusable_arm(timer, nanoseconds, 0) }

    @inline(__always)
    @discardableResult
    func disarm() -> CancelResult {
        guard let node else { return .finished }
        return CancelResult(
            swivel__is_own(record)
                ? swivel__own_reusable_disarm(timer, node) : swivel_reusable_disarm(timer))
    }

    /// Ends the timer, and releases its closure: now, or when it returns if it runs.
    func free() { swivel_reusable_free(timer) }

    var isArmed: Bool { swivel_reusable_is_armed(timer) }

    /// Whether the loop refuses to arm the timer.
    var isOver: Bool { node == nil || swivel_loop_refusal(record) != SWIVEL_OK }
}
