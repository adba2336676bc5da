// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A walk along a list of futures, which waits at each until it has completed. One callback serves
/// them all: it is registered with one future at a time.
///
/// If a future will never complete, or the context is gone, the walk ends there. The list of the
/// future at which it waits holds the walk, and not the reverse.
@usableFromInline
final class Walk: @unchecked Sendable {
    // because its steps run one after the other: each registers the callback anew.
    /// Each from `index` on stands for a reference, which the walk has.
    private let futures: [FuturePointer]
    @exclusivity(unchecked) private var index = 0
    private let callback: Callback
    private let result: AnyObject
    private let visit: (FuturePointer?) -> Bool
    private let end: (FuturePointer) -> Void

    /// - Parameters:
    ///   - futures: Are visited in order. Each stands for a reference.
    ///   - context: Where `visit` runs; `.direct`: in the thread that completes.
    ///   - visit: Gets each completed future, and `nil` after the last one. False: ends the walk.
    ///   - end: Ends `result` instead if the walk cannot continue.
    @usableFromInline
    init(
        _ futures: [FuturePointer], on context: CallbackContext, for result: AnyObject,
        visit: @escaping (FuturePointer?) -> Bool, end: @escaping (FuturePointer) -> Void
    ) {
        self.futures = futures
        callback = Callback(at: context)
        self.result = result
        self.visit = visit
        self.end = end
        callback.cell.walked = FuturePointer(to: result)
        callback.cell.step = { callback, source in callback.take(Walk.self).arrive(source) }
        // Nothing waits for the result yet, and it waits for the callback as long as it is pending.
        FuturePointer(to: result).wait(through: callback.pointer)
    }

    deinit {
        for future in futures[index...] { future.release() }
    }

    /// Begins, on the context.
    @usableFromInline
    func begin() {
        if !callback.cell.context.isDirect, let first = takeNext() {
            wait(for: first)
        } else {
            walkOn()
        }
    }

    /// The callback runs: `source` has completed, or never will.
    private func arrive(_ source: FuturePointer?) {
        // The source may go when this has returned.
        callback.pointer.wait(through: nil)
        if let source {
            if visit(source) { walkOn() }
        } else {
            // The reason is the callback's.
            let result = FuturePointer(to: result)
            result.cell.pointee.move(to: callback.cell.context.retained())
            end(result)
        }
    }

    /// Visits the futures that have completed, and waits for the one after them.
    private func walkOn() {
        let visit = visit
        while let future = takeNext() {
            guard future.isCompleted else { return wait(for: future) }
            let goesOn = visit(future)
            future.release()
            guard goesOn else { return }
        }
        _ = visit(nil)
    }

    /// The next future, with its reference.
    private func takeNext() -> FuturePointer? {
        guard index < futures.count else { return nil }
        defer { index += 1 }
        return futures[index]
    }

    /// Waits for `future`, and gives its reference back.
    private func wait(for future: FuturePointer) {
        // When the first future is waited for, nothing can wait for the result yet; later a future
        // of the list may. From `register` on the walk may be another thread's.
        let isFirst = index == 1
        callback.pointer.keep(self)
        let result = result
        future.register(callback)
        if !isFirst { future.refuseToWait(for: FuturePointer(to: result)) }
        extendLifetime(result)
        future.release()
    }
}
