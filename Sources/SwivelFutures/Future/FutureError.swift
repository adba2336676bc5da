// SPDX-License-Identifier: Apache-2.0

/// An error that a future's own failure type cannot express, or that failure.
public enum FutureError<Underlying: Error>: Error {
    /// No element matched.
    case noSuchElement
    /// The ``InvalidationToken`` was invalidated.
    case invalidated
    /// A time limit has passed. The future stays usable.
    case timedOut
    /// The work was cancelled.
    case cancelled
    /// No code can complete the future any more.
    case abandoned
    /// The loop that was to do the work is shut down.
    case shutdown
    /// The future's own failure.
    case failed(Underlying)
}

extension FutureError: Equatable where Underlying: Equatable {}
extension FutureError: Hashable where Underlying: Hashable {}
