// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A walk along a list of futures, which waits at each until it has completed. It costs one callback
/// for each future that it has to wait for, and never more than one at a time.
///
/// If a future on the way will never complete, or the context is gone, the walk ends there. The walk
/// does not hold the future at which it waits, whose list holds the walk: one that nobody completes is
/// released all the same, unless it comes again further on.
final class Walk: @unchecked Sendable {
    // because its callbacks come one after the other: each registers the next.
    private var futures: [AnyFuture?]
    private let context: (any ExecutionContext)?
    private let result: AnyFuture
    private let visit: (AnyFuture?) -> Bool
    private let end: (AbandonmentCause) -> Void
    private var index = 0

    /// - Parameters:
    ///   - futures: In the order in which they are visited; none is `nil`.
    ///   - context: Where `visit` runs; `nil`: in the thread that completes, as no user's closure.
    ///   - result: What the walk completes.
    ///   - visit: Called with each completed future, and with `nil` at the end. False: that was the
    ///     last.
    ///   - end: Called in the place of `visit` if the walk cannot go on.
    init(
        _ futures: [AnyFuture?], on context: (any ExecutionContext)?, for result: AnyFuture,
        visit: @escaping (AnyFuture?) -> Bool, end: @escaping (AbandonmentCause) -> Void
    ) {
        self.futures = futures
        self.context = context
        self.result = result
        self.visit = visit
        self.end = end
    }

    /// What the walk waits for.
    private enum Arrival {
        case completed(AnyFuture)
        case never(AbandonmentCause)
    }

    /// Goes on with the next future when that has completed.
    func wait() {
        guard index < futures.count, let future = futures[index].take() else {
            _ = visit(nil)
            return
        }
        let callback = context.map { AnyFuture(at: Home.of($0)) } ?? AnyFuture()
        callback.ref.keep(callback: { [self] (arrival: Arrival) in
            switch arrival {
            case .completed(let future): go(from: future)
            case .never(let cause): end(cause)
            }
        })
        callback.cell.lane = result.ref
        callback.cell.step = { callback, source in
            // The result is there as long as the walk is.
            callback.cell.pointee.lane?.wait(through: nil)
            let walk = callback.takenCallback(Arrival.self)
            walk.run(
                source.map { .completed($0.object.takeUnretainedValue()) } ?? .never(callback.cause)
            )
        }
        // From `register` on the walk may be another thread's. Nothing can wait for the result yet when
        // the first one is registered; after that, what comes in the list may.
        let (result, isFirst) = (result, index == 0)
        result.ref.wait(through: callback.ref)
        future.register(callback)
        if !isFirst {
            withExtendedLifetime((future, result)) { future.ref.refuseToWait(for: result.ref) }
        }
    }

    private func go(from first: AnyFuture) {
        var future = first
        while visit(future) {
            index += 1
            guard index < futures.count, let next = futures[index], next.isCompleted else {
                return wait()
            }
            futures[index] = nil
            future = next
        }
    }
}
