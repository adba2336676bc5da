// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

// Swift-Async's labels. Its class is ``Async``, a future that cannot fail.
extension Future where Failure == Never {
    /// Swift-Async's name for `Async(queue) { }`. (A trailing closure means the form without a label.)
    @available(*, deprecated, renamed: "init(_:_:)")
    @_disfavoredOverload
    @preconcurrency
    public convenience init(
        queue: any ExecutionContext, closure: @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, closure)
    }

    /// Swift-Async's name for `dependsOn.map(on: queue) { }`.
    @available(
        *, deprecated, message: "use dependsOn.map(on: queue) { } or dependsOn.await(queue) { }"
    )
    @preconcurrency
    public convenience init<Input: Sendable>(
        queue: any ExecutionContext, dependsOn: Async<Input>,
        closure: @escaping @Sendable (Input) -> Value
    ) {
        self.init { complete in
            dependsOn.onSuccess(on: queue) { complete(.success(closure($0))) }
        }
    }

    /// Swift-Async's name for `Async(queue) { }`.
    @available(*, deprecated, renamed: "init(_:_:)")
    @preconcurrency
    public convenience init(
        queue: any ExecutionContext, _ workClosure: @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, workClosure)
    }

    /// Swift-Async's name for `Async(queue, expression)`.
    @available(*, deprecated, renamed: "init(_:_:)")
    public convenience init(
        queue: any ExecutionContext, _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, expression)
    }

    /// Swift-Async's name for `Async(.userInitiated) { }` and the like.
    @available(*, deprecated, renamed: "init(_:_:)")
    @preconcurrency
    public convenience init(
        priority: DispatchQoS.QoSClass, _ workClosure: @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: priority), workClosure)
    }

    /// Swift-Async's name for `Async(.userInitiated, expression)` and the like.
    @available(*, deprecated, renamed: "init(_:_:)")
    public convenience init(
        priority: DispatchQoS.QoSClass,
        _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: priority), expression)
    }

    /// As the form with a class, with one of Dispatch's old numbers: 2 high, 0 default, -2 low,
    /// `Int(Int16.min)` background.
    @available(*, deprecated, renamed: "init(_:_:)")
    @preconcurrency
    public convenience init(priority: Int, _ workClosure: @escaping @Sendable () -> Value) {
        self.init(on: DispatchQueue.global(qos: .init(priority: priority)), workClosure)
    }

    /// As the form with a class, with one of Dispatch's old numbers.
    @available(*, deprecated, renamed: "init(_:_:)")
    public convenience init(
        priority: Int, _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: .init(priority: priority)), expression)
    }
}

extension DispatchQoS.QoSClass {
    /// The class that Dispatch gives to its old priorities.
    init(priority: Int) {
        switch priority {
        case 1...: self = .userInitiated
        case 0: self = .default
        case -2..<0: self = .utility
        default: self = .background
        }
    }
}
