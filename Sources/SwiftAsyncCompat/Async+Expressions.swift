// SPDX-License-Identifier: Apache-2.0
public import Swivel

// Swift-Async's futures of expressions. Disfavored: a function is work, and only its value is an
// expression. A function that an `Async` cannot run, because it throws, is an expression too, and is
// not called: write `Async { }`.
extension Future where Failure == Never {
    /// Swift-Async's name for `Async { expression }`.
    ///
    /// **Thread:** any. The expression is evaluated on the worker pool.
    /// - Parameter expression: Evaluated once.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async { expression }', which calls what it names")
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(_ expression: @autoclosure @escaping @Sendable () -> Value) {
        self.init(on: .background, expression)
    }

    /// Swift-Async's name for `Async(context) { expression }`.
    ///
    /// **Thread:** any. The expression is evaluated on `context`.
    /// - Parameters:
    ///   - context: Where it runs.
    ///   - expression: Evaluated once.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(
        *, deprecated, message: "use 'Async(context) { expression }', which calls what it names"
    )
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(
        _ context: any ExecutionContext,
        _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: context, expression)
    }
}
