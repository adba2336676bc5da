// SPDX-License-Identifier: Apache-2.0
package import SwivelCore

extension FutureNeed {
    /// The contexts on which something has to run before `future` can complete, as far as is known
    /// now. Real loops and pools are not among them. **Thread:** any that keeps the future.
    /// - Complexity: O(n) in the links up to futures that wait for none.
    static func contexts(of future: FuturePointer) -> [any ExecutionContext] {
        var contexts: [any ExecutionContext] = []
        // In a ring each callback is visited once.
        var (seen, kept) = (Set<UInt>(), [Callback]())
        func visit(_ boxes: [ContextBox]) {
            for box in boxes {
                if let context = box.context { contexts.append(context) }
                for need in box.needs() {
                    switch need {
                    case .context(let context): contexts.append(context)
                    case .callback(let callback):
                        if seen.insert(callback.pointer.bits).inserted { kept.append(callback) }
                    case .oneOf(let callbacks): contexts += common(callbacks)
                    }
                }
            }
        }
        visit(future.boxesNeeded)
        var next = 0
        while next < kept.count {
            visit(kept[next].pointer.boxesNeeded)
            next += 1
        }
        return contexts
    }

    /// The contexts that each of `callbacks` is known to need, without those of jobs and races in
    /// their chains.
    private static func common(_ callbacks: [Callback]) -> [any ExecutionContext] {
        defer { extendLifetime(callbacks) }
        let needed = callbacks.map { $0.pointer.contextsNeeded }
        guard let first = needed.first else { return [] }
        return first.filter { context in
            needed.allSatisfy { others in
                others.contains { ($0 as AnyObject) === (context as AnyObject) }
            }
        }
    }
}

extension CallbackContext {
    /// As ``direct``, for a future that work on `context` completes.
    static func direct(before context: any ExecutionContext) -> CallbackContext {
        guard context.mayBeHeldUp else { return .direct }
        if let loop = context as? Loop {
            // The loop keeps the work, and with it the future.
            return .direct(needing: { [weak loop] in loop.map { [.context($0)] } ?? [] })
        }
        return CallbackContext(ContextBox(context), flags: direct.word)
    }

    /// As ``direct``, for a future with the needs that `needs` returns.
    @usableFromInline
    static func direct(needing needs: @escaping @Sendable () -> [FutureNeed]) -> CallbackContext {
        CallbackContext(ContextBox(needs: needs), flags: direct.word)
    }
}

extension Future {
    /// A future that no callback of another one completes. `needs` returns what is known at the
    /// call, and keeps nothing but callbacks.
    @inlinable
    package convenience init(needing needs: @escaping @Sendable () -> [FutureNeed]) {
        self.init(at: .direct(needing: needs))
    }

    /// See ``FutureNeed/contexts(of:)``.
    package var contextsNeeded: [any ExecutionContext] {
        defer { extendLifetime(self) }
        return FutureNeed.contexts(of: pointer)
    }
}
