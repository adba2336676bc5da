// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// The functions that take their call site, without it: `works.map(loop.submit)`. Disfavored: a call has
// a site, by which an unobserved failure is reported.
extension Future {
    /// See ``init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(
        on context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .lent(by: context), work)
        extendLifetime(context)
    }

    /// See ``init(_:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(
        _ context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .lent(by: context), work)
        extendLifetime(context)
    }

    /// See ``init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.init(on: .lent(by: WorkerPool.shared), work)
    }
}

extension ExecutionContext {
    /// See ``Future/init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        _ work: @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        Future(on: .lent(by: self), work)
    }

    /// See ``Future/init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        _ work: @escaping @Sendable () -> Result<V, E>
    ) -> Future<V, E> {
        Future(on: .lent(by: self)) { () throws(E) -> V in try work().get() }
    }

    /// See ``submit(after:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public func submit<V: Sendable, E: Error>(
        after delay: Duration, _ work: @escaping @Sendable () throws(E) -> V
    ) -> Future<V, E> {
        Future(after: delay, on: self) { Result(catching: work) }
    }
}
