// SPDX-License-Identifier: Apache-2.0

/// How futures bring their callbacks to a context: one word, so that a future which waits to run a
/// callback stores no existential and asks no questions about types.
package struct ContextRoute: Hashable, Sendable {
    package let word: UInt

    fileprivate init(word: UInt) {
        self.word = word
    }

    /// On the caller's stack, at once.
    package static let immediate = ContextRoute(word: 0)

    /// Through ``ExecutionContext/execute(_:)``.
    package static let execute = ContextRoute(word: 1)

    /// In the route of a pool, beside its address.
    package static let poolBit: UInt = 4
}

extension ExecutionContext {
    /// Whether callbacks run at once.
    package var isImmediate: Bool { Self.self == ImmediateContext.self }

    /// How a future's callbacks get here. A loop's route is its address, and a pool's is its address
    /// with a bit, which an object's address leaves free: callbacks go straight into its inbox.
    package var route: ContextRoute {
        // Types are compared as words. A cast to a loop would call the runtime.
        if Self.self == Loop.self {
            return ContextRoute(word: withUnsafeBytes(of: self) { $0.load(as: UInt.self) })
        }
        if Self.self == WorkerPool.self {
            let address = withUnsafeBytes(of: self) { $0.load(as: UInt.self) }
            return ContextRoute(word: address | ContextRoute.poolBit)
        }
        return isImmediate ? .immediate : .execute
    }
}
