// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

// Futures that are completed when they are made, or by a closure that is given.
extension Future {
    /// A future that has completed with `value`.
    @inlinable
    public convenience init(value: Value) {
        self.init(result: .success(value))
    }

    /// A future that has completed with `error`.
    @inlinable
    public convenience init(error: Failure) {
        self.init(result: .failure(error))
    }

    /// A future that has completed with `result`.
    @inlinable
    public convenience init(result: Result<Value, Failure>) {
        self.init()
        resolve(result)
    }

    /// A future that completes with `value` when `delay` has passed.
    ///
    /// - Parameters:
    ///   - delay: Zero or less: in the context's next turn.
    ///   - context: Keeps the time.
    @inlinable
    public convenience init(
        value: Value, after delay: Duration, on context: any ExecutionContext = defaultContext()
    ) {
        self.init(result: .success(value), after: delay, on: context)
    }

    /// A future that completes with `error` when `delay` has passed. See ``init(value:after:on:)``.
    @inlinable
    public convenience init(
        error: Failure, after delay: Duration, on context: any ExecutionContext = defaultContext()
    ) {
        self.init(result: .failure(error), after: delay, on: context)
    }

    /// A future that completes with `result` when `delay` has passed. See ``init(value:after:on:)``.
    public convenience init(
        result: Result<Value, Failure>, after delay: Duration,
        on context: any ExecutionContext = defaultContext()
    ) {
        self.init(at: .direct(before: context))
        let pledge = Pledge(self, on: context)
        context.schedule(after: delay) { pledge.complete(result) }
    }

    /// A future that `resolver` completes, through the closure that it is given.
    ///
    /// The first call of the closure counts; later ones are ignored. Dropped without having been
    /// called it fails the future as a dropped ``Promise`` does; where `Failure` cannot say so, those
    /// who wait are stopped.
    /// - Parameter resolver: Runs right here.
    @inlinable
    public convenience init(
        _ resolver: (_ complete: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
    ) {
        self.init()
        let pledge = Pledge(self)
        resolver { pledge.complete($0) }
    }
}
