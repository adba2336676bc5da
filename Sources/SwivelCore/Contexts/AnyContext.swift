// SPDX-License-Identifier: Apache-2.0

/// Any closure as a context.
///
/// The closure gets each piece of work and must run it once. Work that it drops counts as
/// cancelled: a timer whose work is dropped ends.
public struct AnyContext: ExecutionContext, ContextWrapper {
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    package let wrapped: (any ExecutionContext)?

    /// A context that passes work to `execute`.
    ///
    /// - Parameter execute: Called on the thread that submits, with work to run later or at once.
    public init(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        run = execute
        wrapped = nil
    }

    /// A context that wraps another one.
    public init(_ context: any ExecutionContext) {
        run = { context.execute($0) }
        wrapped = context
    }

    /// Passes `work` to the closure.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        run(work)
    }

    /// The wrapped context's answer; false for a closure.
    public var isCurrent: Bool { wrapped?.isCurrent ?? false }
}

/// A context that passes its work on to another one, where that is known.
package protocol ContextWrapper: ExecutionContext {
    /// The other one.
    var wrapped: (any ExecutionContext)? { get }
}
