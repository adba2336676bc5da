// SPDX-License-Identifier: Apache-2.0

/// The timer of an object that may be released while work is pending: the work still happens at its
/// time, and then the timer is freed.
///
/// The closure of the timer retains what the work needs, and the loop retains the closure; neither
/// retains the loop or the object. The lock of its owner's state guards it.
struct SurvivingTimer {
    private var node: TimerNode?
    private var isAbandoned = false

    /// The timer, once it is made. Only then may others have the state.
    mutating func begin(_ node: TimerNode) {
        self.node = node
    }

    /// Arms the timer, or moves it. False: the loop refuses.
    func arm(at nanoseconds: UInt64) -> Bool {
        node?.arm(at: nanoseconds) ?? false
    }

    /// Disarms the timer.
    func disarm() {
        node?.disarm()
    }

    /// The loop has released the closure: the node is another timer's from here on.
    mutating func end() {
        node = nil
    }

    /// The object is gone, or work is not pending any more. Returns the timer if nothing needs it: the
    /// caller frees it, outside the lock.
    mutating func settle(isReleased: Bool = false, isPending: Bool) -> TimerNode? {
        isAbandoned = isAbandoned || isReleased
        return isAbandoned && !isPending ? node.take() : nil
    }
}
