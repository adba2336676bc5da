// SPDX-License-Identifier: Apache-2.0

/// What can go wrong with a future beside its own failure.
public enum FutureError<Underlying: Error>: Error {
    /// No element matched.
    case noSuchElement
    /// The ``InvalidationToken`` was invalidated.
    case invalidated
    /// A time limit passed. The future that was waited for stays usable.
    case timedOut
    /// The work was cancelled.
    case cancelled
    /// The promise was dropped without having been completed.
    case abandoned
    /// The loop that was to do the work is shut down.
    case shutdown
    /// The future's own failure.
    case failed(Underlying)
}

extension FutureError: Equatable where Underlying: Equatable {}
extension FutureError: Hashable where Underlying: Hashable {}
