// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import Synchronization

/// A place of a ``ConcurrencyLimit``, in debug builds: known to the task that holds it, and to the
/// tasks that it starts.
final class HeldPlace: Sendable {
    @TaskLocal static var all: [HeldPlace] = []

    private let limit: ObjectIdentifier
    /// False: the body has returned. A task that it has started may still run.
    private let isHeld = Atomic(true)

    init(of limit: ConcurrencyLimit) { self.limit = ObjectIdentifier(limit) }

    /// This place, and those that the task holds already.
    var andOuter: [HeldPlace] {
        Self.all.filter { $0.isHeld.load(ordering: .relaxed) } + [self]
    }

    func leave() { isHeld.store(false, ordering: .relaxed) }

    /// Whether the current task holds a place of `limit`, or the task that started it.
    static func exists(of limit: ConcurrencyLimit) -> Bool {
        all.contains {
            // A limit outlives its places that are held.
            $0.isHeld.load(ordering: .relaxed) && $0.limit == ObjectIdentifier(limit)
        }
    }
}
#endif
