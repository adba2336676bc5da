// SPDX-License-Identifier: Apache-2.0

/// A closure as a context. The closure gets each piece of work and must run it once. Work that it
/// drops counts as cancelled: a timer whose work is dropped ends.
///
/// **Thread:** any. Work runs where the closure runs it.
public struct AnyContext: ExecutionContext, ContextWrapper {
    private let run: @Sendable (@escaping @Sendable () -> Void) -> Void
    package let wrapped: (any ExecutionContext)?

    /// A context that passes work to `execute`, on the thread that submits it, to run later or at
    /// once.
    ///
    /// - Complexity: O(1).
    @preconcurrency
    public init(_ execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        run = execute
        wrapped = nil
    }

    /// A context that passes work on to `context`.
    ///
    /// - Complexity: O(1).
    public init(_ context: any ExecutionContext) {
        run = { context.execute($0) }
        wrapped = context
    }

    /// Passes `work` to the closure.
    ///
    /// - Complexity: That of the closure.
    @preconcurrency
    public func execute(_ work: @escaping @Sendable () -> Void) { run(work) }

    /// Whether the wrapped context is current; false for a closure.
    public var isCurrent: Bool { wrapped?.isCurrent ?? false }

    /// The closure's two words, which are the same in copies of this context.
    package var closure: (UInt, UInt) {
        // In a struct: by itself the closure would be wrapped in another one on its way to the
        // cast.
        struct Closure {
            let run: @Sendable (@escaping @Sendable () -> Void) -> Void
        }
        return unsafeBitCast(Closure(run: run), to: (UInt, UInt).self)
    }
}

/// A context that gives each closure something of the caller's, and passes it on.
///
/// Code that keeps a closure and arms its timer later calls `capturing` at once.
package protocol CapturingContext: ContextWrapper {
    /// The closure, for the wrapped context, with what the caller has now.
    func capturing(_ body: TimerRequest.Body) -> TimerRequest.Body
}

/// A context that passes its work on to another one.
package protocol ContextWrapper: ExecutionContext {
    /// The other one; `nil` if it is not known.
    var wrapped: (any ExecutionContext)? { get }
}

extension ExecutionContext {
    /// The manual loop that this context is, or to which it passes its work.
    var manualLoop: Loop? {
        if let loop = self as? Loop { return loop.manual == nil ? nil : loop }
        return (self as? any ContextWrapper)?.wrapped?.manualLoop
    }
}
