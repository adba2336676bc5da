// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// Who won: the caller of ``TimerHandle/cancel()``, or the closure.
public enum CancelResult: Hashable, Sendable {
    /// The closure had not started, never will, and has been released.
    case cancelled
    /// The closure is under way. A repeating timer has no further tick.
    case running
    /// It was over before: run, cancelled, or refused.
    case finished

    @inline(__always)
    init(_ result: swivel_cancel_result) {
        switch result {
        case SWIVEL_CANCELLED: self = .cancelled
        case SWIVEL_RUNNING: self = .running
        default: self = .finished
        }
    }
}
