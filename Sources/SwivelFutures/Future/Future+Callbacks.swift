// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelDispatch

extension Future {
    /// Calls `body` with the result, once there is one.
    ///
    /// **Thread:** any. `body` runs once, on `context`, after the callbacks registered before it
    /// there, while no other callback of this future runs, and is released when it has returned.
    /// - Returns: This future.
    /// - Complexity: O(1). One allocation next to the closure's own, and one more for a context
    ///   that is neither a loop nor `.immediate`.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onComplete(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Self {
        let callback = Callback(at: CallbackContext.of(context))
        callback.pointer.keep(Effect(body))
        callback.cell.step = { callback, source in
            let body = callback.take(Effect<Outcome>.self)
            if let source {
                (consume body).run(source.outcome(Outcome.self).pointee)
            }
        }
        register(callback, needsLane: true)
        return self
    }

    /// Calls `body` on `context` with the value, if there is one. Returns this future.
    /// - Complexity: As ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onSuccess(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Value) -> Void
    ) -> Self {
        onComplete(on: context) { if case .success(let value) = $0 { body(value) } }
    }

    /// Calls `body` on `context` with the error, if there is one. Returns this future.
    /// - Complexity: As ``onComplete(on:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public func onFailure(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Failure) -> Void
    ) -> Self {
        onComplete(on: context) { if case .failure(let error) = $0 { body(error) } }
    }

    /// Calls `body` on `context` with the result, and then passes it on, for side effects in order.
    /// - Returns: The future with the same result, which completes after `body` has returned.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    @preconcurrency
    public func andThen(
        on context: any ExecutionContext = defaultContext(),
        _ body: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Future {
        mapResult(on: context) {
            body($0)
            return $0
        }
    }
}

extension Future where Value == Never, Failure == Never {
    /// Calls `observer` for each future that has failed and is released unobserved: it had no
    /// callback and no wait, and its result was not read.
    ///
    /// A failure that was passed on to a derived future counts as observed, and the derived
    /// future's counts instead. A newer observer replaces the older one. Call sites are known for
    /// futures made while an observer is set. Without one, debug builds report an error that
    /// submitted work has thrown (`submit`, ``async(on:file:line:_:)``, ``init(on:file:line:_:)``),
    /// once for each call site.
    ///
    /// **Thread:** any. `observer` runs on the thread that releases the future, under no lock. It
    /// should log, and return.
    /// - Parameter observer: `nil`, as at the start of the program, observes nothing.
    /// - Complexity: O(1). While an observer is set, making and releasing a future take a lock.
    @preconcurrency
    public static func onUnobservedFailure(_ observer: (@Sendable (UnobservedFailure) -> Void)?) {
        FailureObserver.set(observer)
    }
}

extension Future {
    /// Remembers where the future's work was submitted: debug builds report its unobserved error.
    @inlinable
    func noteWork(_ file: StaticString, _ line: UInt) {
        #if DEBUG
        if Failure.self != Never.self { noteSite(file, line, isWork: true) }
        #endif
    }

    /// Remembers where the future was made, if there is an observer, or if work completes it.
    @usableFromInline
    func noteSite(_ file: StaticString, _ line: UInt, isWork: Bool = false) {
        guard isWork || FailureObserver.isOn else { return }
        FailureObserver.note(pointer, file, line)
        extendLifetime(self)
    }
}
