// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

// Futures that are complete from the start, after a delay, or by a call of a closure.
extension Future {
    /// A future that has completed with `value`.
    /// - Complexity: O(1), one allocation.
    @inlinable
    public convenience init(value: Value) {
        self.init(result: .success(value))
    }

    /// Not callable. It makes a trailing closure ambiguous, because `Async { try load() }` would
    /// fit `init(value:)`, and nothing would call the closure.
    @inlinable
    public convenience init(_value value: Value) {
        self.init(value: value)
    }

    /// A future that has completed with `error`.
    /// - Complexity: O(1), one allocation.
    @inlinable
    public convenience init(error: Failure) {
        self.init(result: .failure(error))
    }

    /// A future that has completed with `result`.
    /// - Complexity: O(1), one allocation.
    @inlinable
    public convenience init(result: Result<Value, Failure>) {
        self.init()
        resolve(result)
    }

    /// A future that completes with `value` on `context`, which keeps the time, after `delay`.
    /// - Parameter delay: From now. Zero or less: in the context's next turn.
    /// - Complexity: O(1); the timer is a node of a loop's wheel.
    @inlinable
    public convenience init(
        value: Value, after delay: Duration, on context: any ExecutionContext = defaultContext()
    ) {
        self.init(result: .success(value), after: delay, on: context)
    }

    /// A future that completes with `error` on `context` after `delay`.
    /// - Complexity: As ``init(value:after:on:)``.
    @inlinable
    public convenience init(
        error: Failure, after delay: Duration, on context: any ExecutionContext = defaultContext()
    ) {
        self.init(result: .failure(error), after: delay, on: context)
    }

    /// A future that completes with `result` on `context` after `delay`.
    /// - Complexity: As ``init(value:after:on:)``.
    public convenience init(
        result: Result<Value, Failure>, after delay: Duration,
        on context: any ExecutionContext = defaultContext()
    ) {
        self.init(after: delay, on: context) { result }
    }

    /// A future that completes with what `outcome` returns on `context` after `delay`.
    convenience init(
        after delay: Duration, on context: any ExecutionContext,
        _ outcome: @escaping @Sendable () -> Result<Value, Failure>
    ) {
        self.init(at: .direct(before: context))
        let completer = Completer(self, on: context)
        context.schedule(after: delay) { completer.complete(outcome()) }
    }

    /// A future that completes as `other` does. From now on no other call can complete it.
    @inlinable
    package convenience init(following other: Future) {
        self.init()
        follow(other)
    }

    /// A future that `resolver` completes by a call of `complete`.
    ///
    /// Only the first call counts. Releasing `complete` uncalled fails the future as a dropped
    /// ``Promise`` does; if `Failure` cannot express that, a wait for the future stops the program.
    ///
    /// **Thread:** any. `resolver` runs inside this call; `complete` may be called on any thread.
    /// - Complexity: O(1), three allocations.
    @inlinable
    @preconcurrency
    public convenience init(
        _ resolver: (_ complete: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
    ) {
        self.init()
        let completer = Completer(self)
        resolver { completer.complete($0) }
    }
}
