// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// Tries whether a queue runs anything while one of its blocks waits.
///
/// Only the types of Dispatch's objects show that a queue is serial and current. That alone does not
/// stop a program: a block on the queue has to go unanswered twice while one on a fresh concurrent
/// queue is answered.
enum QueueProbe {
    /// How long a probe waits for its answer: a thousand times as long as usual.
    private static let limit = Duration.milliseconds(250)
    /// How many probes are sent. If controls are unanswered too, the machine is too busy for a result.
    private static let tries = 8

    /// Whether `queue` may run what is submitted to it, or `latch` has opened in the meantime.
    ///
    /// **Thread:** the queue's.
    static func answers(_ queue: DispatchQueue, or latch: Latch) -> Bool {
        var unanswered = 0
        for _ in 0..<tries {
            let (probe, control) = (Latch(), Latch())
            queue.async { probe.signal() }
            DispatchQueue(label: "swivel.control", attributes: .concurrent).async {
                control.signal()
            }
            let isAnswered = probe.wait(until: LoopClock.Instant.now.advanced(by: limit))
            if isAnswered || latch.isOpen {
                return true
            }
            unanswered += control.isOpen ? 1 : 0
            if unanswered == 2 {
                return false
            }
        }
        return true
    }
}
