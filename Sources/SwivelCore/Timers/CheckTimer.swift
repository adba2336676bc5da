// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The timer of an object whose state lies behind a lock. It only marks when to check the state.
///
/// A call changes the state and moves the timer, both under the lock, so that the latest change
/// moves it last. When the timer fires, its owner compares the state with the time. The owner
/// counts each closure of the program that it runs (``LoopTimer/countRun(_:)``). A timer that is
/// armed stands for work of the program.
///
/// The loop retains the timer's closure, and the closure retains the owner, until the timer is
/// freed or the loop ends. Neither retains the loop. The owner's lock guards this value.
struct CheckTimer {
    private var node: TimerNode?
    private var isReleased = false

    /// No timer: its owner is being made.
    init() {}

    /// A timer that is not armed. Each time that it fires, `check` compares the owner's state with
    /// the time, on the loop. `end` runs when the closure is released, by ``TimerNode/free()`` or
    /// by the loop's end, and calls ``end()``.
    init<Owner: Sendable>(
        on loop: Loop, label: StaticString, of owner: Owner,
        end: @escaping @Sendable (Owner) -> Void, check: @escaping @Sendable (Owner, Tick) -> Void
    ) {
        let notice = DropNotice(owner, end)
        node = TimerNode(on: loop, label: label, flags: SWIVEL_UNCOUNTED) { tick in
            check(notice.payload, tick)
        }
    }

    /// Arms the timer, or moves it. False: the loop refuses.
    func arm(at nanoseconds: UInt64) -> Bool { node?.arm(at: nanoseconds) ?? false }

    /// Arms the timer for the deadline of a call: one that has passed is due among the thread's
    /// posts.
    func arm(atCalled nanoseconds: UInt64) { node?.arm(atCalled: nanoseconds) }

    func disarm() { node?.disarm() }

    var isOver: Bool { node?.isOver ?? true }

    /// The loop has released the closure: the node is another timer's from here on.
    mutating func end() { node = nil }

    /// The owner is released, or has no pending work any more. Returns the timer once both hold:
    /// the caller frees it, outside of the lock.
    mutating func take(isReleased released: Bool = false, isPending: Bool = false) -> TimerNode? {
        isReleased = isReleased || released
        return isReleased && !isPending ? node.take() : nil
    }
}
