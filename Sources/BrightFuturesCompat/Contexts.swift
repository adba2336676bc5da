// SPDX-License-Identifier: Apache-2.0
public import Dispatch
public import Foundation
public import Swivel

/// Runs work at once.
@available(*, deprecated, message: "use '.immediate'")
public var immediateExecutionContext: ImmediateContext { .immediate }

/// Runs work at once on the main queue, and posts it there from elsewhere.
@available(*, deprecated, message: "use '.immediateOnMain'")
public var immediateOnMainExecutionContext: ImmediateOnMainContext { .immediateOnMain }

/// Runs work at once. Chains of any depth need no stack.
@available(*, deprecated, message: "use '.immediate': chains of any depth need no stack")
public var maxStackDepthExecutionContext: ImmediateContext { .immediate }

/// See ``immediateExecutionContext``.
@available(*, deprecated, message: "use '.immediate'")
public var ImmediateExecutionContext: ImmediateContext { .immediate }

/// See ``immediateOnMainExecutionContext``.
@available(*, deprecated, message: "use '.immediateOnMain'")
public var ImmediateOnMainExecutionContext: ImmediateOnMainContext { .immediateOnMain }

/// See ``maxStackDepthExecutionContext``.
@available(*, deprecated, message: "use '.immediate': chains of any depth need no stack")
public var MaxStackDepthExecutionContext: ImmediateContext { .immediate }

/// A function that returns the default context.
@available(*, deprecated, message: "pass a context where you need another than the default")
public typealias ThreadingModel = @Sendable () -> any ExecutionContext

/// Returns the default context. Unlike in BrightFutures it is a constant.
@available(*, deprecated, renamed: "defaultContext")
public var DefaultThreadingModel: @Sendable () -> any ExecutionContext { { defaultContext() } }

extension DispatchQueue {
    /// The queue, which is a context itself.
    @available(*, deprecated, message: "pass the queue itself")
    public var context: DispatchQueue { self }
}

extension OperationQueue {
    /// The queue, which is a context itself.
    @available(*, deprecated, message: "pass the queue itself")
    public var context: OperationQueue { self }
}

extension DispatchSemaphore {
    /// A context that runs work while it holds the semaphore.
    @available(*, deprecated, message: "use 'SemaphoreContext(semaphore)'")
    public var context: SemaphoreContext { SemaphoreContext(self) }
}

extension ExecutionContext {
    // BrightFutures' contexts were functions.
    /// See `ExecutionContext.execute(_:)`.
    @available(*, deprecated, message: "use 'execute(_:)'")
    @preconcurrency
    public func callAsFunction(_ task: @escaping @Sendable () -> Void) { execute(task) }
}
