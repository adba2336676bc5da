// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Swivel

// Swift-Async's labels. Its class is ``Async``, a future that cannot fail.
extension Future where Failure == Never {
    /// Swift-Async's name for `Async(queue) { }`. A trailing closure selects the form without a
    /// label.
    ///
    /// **Thread:** any. The value is the result of `closure`, which runs on `queue`.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, renamed: "init(_:_:)")
    @_disfavoredOverload @preconcurrency @discardableResult
    public convenience init(queue: any ExecutionContext, closure: @escaping @Sendable () -> Value) {
        self.init(on: queue, closure)
    }

    /// Swift-Async's name for `dependsOn.map(on: queue) { }`.
    ///
    /// **Thread:** any. `closure` gets the value of `dependsOn` and returns this one's, on `queue`.
    /// - Complexity: As `Future.map(on:_:)` and `Promise.complete(with:)`.
    @available(
        *, deprecated, message: "use dependsOn.map(on: queue) { } or dependsOn.await(queue) { }"
    )
    @preconcurrency @discardableResult
    public convenience init<Input: Sendable>(
        queue: any ExecutionContext, dependsOn: Async<Input>,
        closure: @escaping @Sendable (Input) -> Value
    ) {
        self.init(following: dependsOn.map(on: queue, closure))
    }

    /// See `Future.init(on:_:)`.
    @available(*, deprecated, renamed: "init(_:_:)")
    @preconcurrency @discardableResult
    public convenience init(
        queue: any ExecutionContext, _ workClosure: @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, workClosure)
    }

    /// Swift-Async's name for `Async(queue, expression)`.
    ///
    /// **Thread:** any. `expression` is evaluated on `queue`.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async(queue) { expression }'")
    @preconcurrency @discardableResult
    public convenience init(
        queue: any ExecutionContext, _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: queue, expression)
    }

    /// Swift-Async's name for `Async(.userInitiated) { }` and the like.
    ///
    /// **Thread:** any. The value is the result of `workClosure`, which runs on the global queue
    /// of the class `priority`.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async(queue) { }' with 'DispatchQueue.global(qos:)'")
    @preconcurrency @discardableResult
    public convenience init(
        priority: DispatchQoS.QoSClass, _ workClosure: @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: priority), workClosure)
    }

    /// Swift-Async's name for `Async(.userInitiated, expression)` and the like.
    ///
    /// **Thread:** any. `expression` is evaluated on the global queue of the class `priority`.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async(queue) { }' with 'DispatchQueue.global(qos:)'")
    @preconcurrency @discardableResult
    public convenience init(
        priority: DispatchQoS.QoSClass,
        _ expression: @autoclosure @escaping @Sendable () -> Value
    ) {
        self.init(on: DispatchQueue.global(qos: priority), expression)
    }

    /// The form with a class, for one of Dispatch's old numbers: a `priority` of 2 is high, 0
    /// default, -2 low, `Int(Int16.min)` background.
    ///
    /// **Thread:** any. The value is the result of `workClosure`, which runs on the global queue.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async(queue) { }' with 'DispatchQueue.global(qos:)'")
    @preconcurrency @discardableResult
    public convenience init(priority: Int, _ workClosure: @escaping @Sendable () -> Value) {
        self.init(on: DispatchQueue.global(qos: .init(priority: priority)), workClosure)
    }

    /// The form with a class, for one of Dispatch's old numbers: a `priority` of 2 is high, 0
    /// default, -2 low, `Int(Int16.min)` background.
    ///
    /// **Thread:** any. `expression` is evaluated on the global queue.
    /// - Complexity: As `Future.init(on:_:)`.
    @available(*, deprecated, message: "use 'Async(queue) { }' with 'DispatchQueue.global(qos:)'")
    @preconcurrency @discardableResult
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
