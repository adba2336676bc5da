// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A walk along a list of futures, which waits at each until it has completed. It registers one
/// callback with each future that it has to wait for, one at a time.
///
/// If a future will never complete, or the context is gone, the walk ends there. The walk does not
/// hold the future at which it waits, whose list holds the walk: a future that nobody completes is
/// released all the same, unless it occurs again later in the list.
final class Walk: @unchecked Sendable {
    // because its callbacks run one after the other: each registers the next.
    private var futures: [AnyObject?]
    private let context: (any ExecutionContext)?
    private let result: AnyObject
    private let visit: (AnyObject?) -> Bool
    private let end: (AbandonmentCause) -> Void
    private var index = 0

    /// - Parameters:
    ///   - futures: In the order in which they are visited; none is `nil`.
    ///   - context: Where `visit` runs; `nil`: in the thread that completes, outside the lane.
    ///   - result: The future that the walk completes.
    ///   - visit: Called with each completed future, and with `nil` after the last one. Returns
    ///     false to end the walk.
    ///   - end: Called instead of `visit` if the walk cannot continue.
    init(
        _ futures: [AnyObject?], on context: (any ExecutionContext)?, for result: AnyObject,
        visit: @escaping (AnyObject?) -> Bool, end: @escaping (AbandonmentCause) -> Void
    ) {
        self.futures = futures
        self.context = context
        self.result = result
        self.visit = visit
        self.end = end
    }

    /// How a future at which the walk waits ends.
    private enum Arrival {
        case completed(AnyObject)
        case never(AbandonmentCause)
    }

    /// Continues with the next future once that has completed.
    func wait() {
        guard index < futures.count, let future = futures[index].take() else {
            _ = visit(nil)
            return
        }
        let callback = Callback(at: context.map { CallbackContext.of($0) } ?? .direct)
        callback.pointer.keep(callback: { [self] (arrival: Arrival) in
            switch arrival {
            case .completed(let future): visitAll(from: future)
            case .never(let cause): end(cause)
            }
        })
        callback.cell.walked = FuturePointer(to: result)
        callback.cell.step = { callback, source in
            // The walk, which the payload holds, keeps the result.
            callback.cell.pointee.walked?.wait(through: nil)
            let walk = callback.takenCallback(Arrival.self)
            walk.run(
                source.map { .completed($0.object.takeUnretainedValue()) } ?? .never(callback.cause)
            )
        }
        // From `register` on the walk may be another thread's. When the first callback is
        // registered, nothing can wait for the result yet; later a future of the list may.
        let (result, isFirst) = (result, index == 0)
        withExtendedLifetime((future, result)) {
            FuturePointer(to: result).wait(through: callback.pointer)
            FuturePointer(to: future).register(callback)
            if !isFirst {
                FuturePointer(to: future).refuseToWait(for: FuturePointer(to: result))
            }
        }
    }

    private func visitAll(from first: AnyObject) {
        var future = first
        while visit(future) {
            index += 1
            guard index < futures.count, let next = futures[index],
                withExtendedLifetime(next, { FuturePointer(to: next).isCompleted })
            else {
                return wait()
            }
            futures[index] = nil
            future = next
        }
    }
}
