// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

// Swift-Async's futures of expressions. Disfavored: a function is work, and only its value is an
// expression. A function that an `Async` cannot run, because it throws, is an expression too, and
// is not called: write `Async { }`.
extension Future where Failure == Never {
    /// Swift-Async's name for `Async { expression }`.
    ///
    /// **Thread:** any. `expression` is evaluated on the worker pool.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async { expression }', which calls what it names")
    @_disfavoredOverload @preconcurrency @discardableResult
    public convenience init(_ expression: @autoclosure @escaping @Sendable () -> Value) {
        self.init(on: .background, expression)
    }

    /// Swift-Async's name for `Async(context) { expression }`.
    ///
    /// **Thread:** any. `expression` is evaluated on `context`.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(
        *, deprecated, message: "use 'Async(context) { expression }', which calls what it names"
    )
    @_disfavoredOverload @preconcurrency @discardableResult
    public convenience init(
        _ context: any ExecutionContext,
        _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: context, expression)
    }
}

// A trailing closure has no label, and fits an expression's parameter as well: the value of
// `Async(queue: q) { try load() }` would be the closure, and nothing would call it. These forms
// make it ambiguous, one for each form with an expression, and two for the disfavored one.
extension Future where Failure == Never {
    /// Not callable: a trailing closure that could only be taken for a value is ambiguous.
    public convenience init(_ context: any ExecutionContext, _value value: Value) {
        self.init(value: value)
    }

    /// Not callable: a trailing closure that could only be taken for a value is ambiguous.
    public convenience init(_ context: any ExecutionContext, _other value: Value) {
        self.init(value: value)
    }

    /// Not callable: a trailing closure that could only be taken for a value is ambiguous.
    public convenience init(
        queue: any ExecutionContext,
        _value expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, expression)
    }

    /// Not callable: a trailing closure that could only be taken for a value is ambiguous.
    public convenience init(
        priority: DispatchQoS.QoSClass,
        _value expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: priority), expression)
    }

    /// Not callable: a trailing closure that could only be taken for a value is ambiguous.
    public convenience init(
        priority: Int, _value expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: .init(priority: priority)), expression)
    }
}
