// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

// A trailing closure has no label, and fits an expression's parameter as well: `Async(queue: q) { try
// load() }` would be a future whose value is the closure, and nothing would call it. These forms make
// such a closure ambiguous. Each is for one form with an expression; that of a context is disfavored,
// so that it takes two.
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
