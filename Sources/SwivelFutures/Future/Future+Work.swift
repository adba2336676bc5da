// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Work that a future was made with, as the two words that lie in it.
@frozen @usableFromInline
struct Task0<Value, Failure: Error> {
    @usableFromInline let run: @Sendable () throws(Failure) -> Value

    @inlinable
    init(_ run: @escaping @Sendable () throws(Failure) -> Value) {
        self.run = run
    }
}

extension Future {
    /// The future of what `work` returns or throws; it starts at once.
    ///
    /// **Thread:** any. `work` runs on `context`, never inside this call unless that is `.immediate`.
    /// - Complexity: O(1), two allocations beside the closure's own.
    @inlinable
    @preconcurrency
    public convenience init(
        on context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(at: Home.of(context))
        ref.place.initializeMemory(as: Task0<Value, Failure>.self, to: Task0(work))
        cell.step = { future, source in
            let work = future.place.assumingMemoryBound(to: Task0<Value, Failure>.self).move()
            guard source != nil else { return Future.neverRan(future) }
            do throws(Failure) {
                future.resolve(Outcome.success(try work.run()))
            } catch {
                future.resolve(Outcome.failure(error))
            }
        }
        start()
    }

    /// The future of what `work` returns or throws, in the background.
    @inlinable
    @preconcurrency
    public convenience init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.init(on: .background, work)
    }

    /// The future of what `work` returns or throws on `context`.
    @inlinable
    @preconcurrency
    public convenience init(
        _ context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: context, work)
    }
}

extension Future where Failure == Never {
    /// The future of what the expression gives, in the background: `Async<Int>(slow())`.
    @inlinable
    public convenience init(_ expression: @autoclosure @escaping @Sendable () -> Value) {
        self.init(on: .background, expression)
    }

    /// The future of what the expression gives on `context`.
    @inlinable
    public convenience init(
        _ context: any ExecutionContext,
        _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: context, expression)
    }
}
