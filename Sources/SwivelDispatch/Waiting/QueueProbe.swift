// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore

/// Tries whether a queue runs anything while one of its blocks waits.
///
/// That a queue is serial and current is known from what Dispatch's objects look like. A program is
/// not stopped for that alone: a block on the queue has to go unanswered, twice, while one on a fresh
/// concurrent queue was answered.
enum QueueProbe {
    /// Time in which a queue that runs blocks answers, three orders of magnitude above the usual.
    private static let limit = Duration.milliseconds(250)
    /// Probes whose control went unanswered as well, after which the machine is too busy to tell.
    private static let tries = 8

    /// Whether `queue` may run what is submitted to it, or `latch` has opened meanwhile.
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
