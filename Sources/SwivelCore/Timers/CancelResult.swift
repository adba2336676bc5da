// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The outcome of a cancel: either the caller won, or the closure.
public enum CancelResult: Hashable, Sendable {
    /// The closure had not started, never will, and has been released.
    case cancelled
    /// The closure is running. A repeating timer has no further tick.
    case running
    /// The timer was over before: run, cancelled, or refused.
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
