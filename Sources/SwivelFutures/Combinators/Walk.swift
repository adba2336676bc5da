// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A walk along a list of futures, which waits at each until it has completed. It costs one callback
/// for each future that it has to wait for, and never more than one at a time.
///
/// If a future on the way will never complete, or the context is gone, the walk ends there.
final class Walk: @unchecked Sendable {
    // because its callbacks come one after the other: each registers the next.
    private let futures: [AnyFuture]
    private let context: (any ExecutionContext)?
    private let visit: (Int) -> Bool
    private let end: (AbandonmentCause) -> Void
    private var index = 0

    /// - Parameters:
    ///   - futures: In the order in which they are visited.
    ///   - context: Where `visit` runs; `nil`: in the thread that completes, as no user's closure.
    ///   - visit: Called with the number of each completed future, and at the end with their count.
    ///     False: that was the last.
    ///   - end: Called in the place of `visit` if the walk cannot go on.
    init(
        _ futures: [AnyFuture], on context: (any ExecutionContext)?,
        visit: @escaping (Int) -> Bool, end: @escaping (AbandonmentCause) -> Void
    ) {
        self.futures = futures
        self.context = context
        self.visit = visit
        self.end = end
    }

    /// Goes on with the next future when that has completed.
    func wait() {
        guard index < futures.count else {
            _ = visit(index)
            return
        }
        let callback = context.map { AnyFuture(on: $0) } ?? AnyFuture()
        callback.ref.keep(callback: { [self] (cause: AbandonmentCause?) in
            if let cause { end(cause) } else { go() }
        })
        callback.cell.step = { callback, source in
            let walk = callback.takenCallback(AbandonmentCause?.self)
            walk.run(source == nil ? callback.cause : nil)
        }
        futures[index].register(callback)
    }

    private func go() {
        repeat {
            guard visit(index) else { return }
            index += 1
        } while index < futures.count && futures[index].isCompleted
        wait()
    }
}
