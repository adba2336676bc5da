// SPDX-License-Identifier: Apache-2.0

/// Any closure as a context.
///
/// The closure gets each piece of work and must run it once. Work that it drops counts as
/// cancelled: a timer whose work is dropped ends.
public struct AnyContext: ExecutionContext {
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let current: @Sendable () -> Bool

    /// A context that passes work to `execute`.
    ///
    /// - Parameter execute: Called on the thread that submits, with work to run later or at once.
    public init(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        run = execute
        current = { false }
    }

    /// A context that wraps another one.
    public init(_ context: any ExecutionContext) {
        run = { context.execute($0) }
        current = { context.isCurrent }
    }

    /// Passes `work` to the closure.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        run(work)
    }

    /// The wrapped context's answer; false for a closure.
    public var isCurrent: Bool { current() }
}
