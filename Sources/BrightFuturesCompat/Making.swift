// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel
internal import SwivelCompatSupport

// BrightFutures' ways to make and to complete futures.
extension Future {
    // These three complete on `.background`, as in BrightFutures.
    /// See `Future.init(value:after:on:)`.
    @available(*, deprecated, message: "use 'Future(value:after:on:)' with a Duration")
    public convenience init(value: Value, delay: DispatchTimeInterval) {
        self.init(value: value, after: Duration(delay), on: .background)
    }

    /// See `Future.init(error:after:on:)`.
    @available(*, deprecated, message: "use 'Future(error:after:on:)' with a Duration")
    public convenience init(error: Failure, delay: DispatchTimeInterval) {
        self.init(error: error, after: Duration(delay), on: .background)
    }

    /// See `Future.init(result:after:on:)`.
    @available(*, deprecated, message: "use 'Future(result:after:on:)' with a Duration")
    public convenience init(result: Result<Value, Failure>, delay: DispatchTimeInterval) {
        self.init(result: result, after: Duration(delay), on: .background)
    }

    /// See `Promise.complete(with:)`.
    @available(*, deprecated, message: "use the other future itself")
    public convenience init(other: Future) { self.init(following: other) }

    /// See `Future.init(_:)`.
    @available(*, deprecated, renamed: "init(_:)")
    @_disfavoredOverload @preconcurrency
    public convenience init(
        resolver: (_ result: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
    ) {
        self.init(resolver)
    }

    /// See `Future.delay(_:on:)`.
    @available(*, deprecated, message: "use 'delay(_:)' with a Duration")
    @_disfavoredOverload
    public func delay(_ interval: DispatchTimeInterval) -> Future { delay(Duration(interval)) }

    /// See `Future.delay(_:on:)`.
    @available(*, deprecated, message: "use 'delay(_:on:)' with a Duration")
    public func delay(_ queue: DispatchQueue, interval: DispatchTimeInterval) -> Future {
        delay(Duration(interval), on: queue)
    }

    /// Waits for the result. See `Future.await(file:line:)`. **Thread:** any but a task's; blocks.
    /// - Returns: The result. An error is returned, not thrown.
    /// - Complexity: As `Future.await(file:line:)`.
    @available(*, deprecated, message: "use 'try await()', or 'result' after it")
    @available(*, noasync)
    public func forced(file: StaticString = #fileID, line: UInt = #line) -> Result<Value, Failure> {
        do throws(Failure) {
            return .success(try self.await(file: file, line: line))
        } catch {
            return .failure(error)
        }
    }

    /// Waits for the result until `timeout`, an instant of Dispatch's monotonic clock, which may
    /// have passed. The future stays usable. **Thread:** any but a task's; blocks.
    /// - Returns: The result; `nil` at the timeout.
    /// - Complexity: As `Future.await(timeout:file:line:)`.
    @available(*, deprecated, message: "use 'await(timeout:)' with a Duration")
    @available(*, noasync)
    public func forced(
        _ timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
    ) -> Result<Value, Failure>? {
        let left = timeout.timeLeft
        if left > .zero { _ = try? self.await(timeout: left, file: file, line: line) }
        return result
    }

    /// See `Future.description`.
    @available(*, deprecated, renamed: "description")
    public var debugDescription: String { description }

    /// The error, if there is one yet.
    @available(*, deprecated, message: "use 'switch' over 'result'")
    public var error: Failure? {
        if case .failure(let error) = result { error } else { nil }
    }
}

extension Future where Failure == Never {
    /// See `Future.init(value:)`.
    @available(*, deprecated, renamed: "init(value:)")
    @_disfavoredOverload
    public convenience init(result: Value) { self.init(value: result) }

    // Completes on `.background`.
    /// See `Future.init(value:after:on:)`.
    @available(*, deprecated, message: "use 'Async(value:after:on:)' with a Duration")
    @_disfavoredOverload
    public convenience init(result: Value, delay: DispatchTimeInterval) {
        self.init(value: result, after: Duration(delay), on: .background)
    }

    /// An infallible future that is completed by the function that `resolver` gets.
    ///
    /// **Thread:** any. `resolver` runs inside this call.
    /// - Complexity: As `Future.init(_:)`.
    @available(
        *, deprecated,
        message: "use 'Async { complete in }', whose 'complete' takes '.success(value)'"
    )
    @_disfavoredOverload @preconcurrency
    public convenience init(resolver: (_ result: @escaping @Sendable (Value) -> Void) -> Void) {
        self.init { complete in resolver { complete(.success($0)) } }
    }
}

extension Promise {
    /// See `Promise.complete(with:)`.
    @available(*, deprecated, renamed: "complete(with:)")
    public func completeWith(_ future: Future<Value, Failure>) { complete(with: future) }

    /// See `Promise.succeed(_:)`.
    @available(*, deprecated, renamed: "succeed(_:)")
    public func success(_ value: Value) { succeed(value) }

    /// See `Promise.fail(_:)`.
    @available(*, deprecated, renamed: "fail(_:)")
    public func failure(_ error: Failure) { fail(error) }

    /// See `Promise.trySucceed(_:)`.
    @available(*, deprecated, renamed: "trySucceed(_:)")
    @discardableResult
    public func trySuccess(_ value: Value) -> Bool { trySucceed(value) }

    /// See `Promise.tryFail(_:)`.
    @available(*, deprecated, renamed: "tryFail(_:)")
    @discardableResult
    public func tryFailure(_ error: Failure) -> Bool { tryFail(error) }
}

extension DispatchQueue {
    /// See `ExecutionContext.submit(_:)`.
    @available(*, deprecated, renamed: "submit(_:)")
    @preconcurrency
    public func asyncValue<V: Sendable>(
        _ execute: @escaping @Sendable () -> V
    ) -> Future<V, Never> {
        submit { () throws(Never) -> V in execute() }
    }

    /// See `ExecutionContext.submit(_:)`.
    @available(*, deprecated, renamed: "submit(_:)")
    @preconcurrency
    public func asyncResult<V: Sendable, E: Error>(
        file: StaticString = #fileID, line: UInt = #line,
        _ execute: @escaping @Sendable () -> Result<V, E>
    ) -> Future<V, E> {
        submit(file: file, line: line, execute)
    }

    /// See `ExecutionContext.submit(after:_:)`.
    @available(*, deprecated, message: "use 'submit(after:) { }' with a Duration")
    @preconcurrency
    public func asyncValueAfter<V: Sendable>(
        _ deadline: DispatchTime, execute: @escaping @Sendable () -> V
    ) -> Future<V, Never> {
        submit(after: deadline.timeLeft) { () throws(Never) -> V in execute() }
    }
}
