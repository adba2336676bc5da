// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Errands whose threads wait: virtual time does not wait for them meanwhile.
extension Errands {
    /// Errands whose threads are blocked, by what they wait for.
    private static let blocked = Lock<[ObjectIdentifier: [Errand]]>.ofProcess { _ in [:] }

    /// Runs `wait`, which blocks the thread until `latch` opens. Virtual time does not wait for the
    /// thread's errand meanwhile.
    static func whileBlocked(on latch: Latch, _ wait: () -> Bool) -> Bool {
        guard isKept.load(ordering: .relaxed), let errand = current else { return wait() }
        blocked.withLock { $0[ObjectIdentifier(latch), default: []].append(errand) }
        // Registered first: the thread that opens the latch after this finds the errand.
        let isBlocked = !latch.isOpen
        if isBlocked {
            errand.errands.arrive(errand, losesSight: true)
        }
        defer {
            if take(errand, from: latch), isBlocked {
                errand.errands.depart(errand)
            }
        }
        return wait()
    }

    /// The latch opens, and the threads that it blocked go on: their errands count again before
    /// time can move.
    static func unblock(_ latch: Latch) {
        guard isKept.load(ordering: .relaxed) else { return }
        // Under the lock: a thread that sees the latch open before this asks here whether its
        // errand counts again. Released outside.
        _ = blocked.withLock { blocked -> [Errand]? in
            let errands = blocked.removeValue(forKey: ObjectIdentifier(latch))
            errands?.forEach { $0.errands.depart($0) }
            return errands
        }
    }

    /// Whether the errand was still registered.
    private static func take(_ errand: Errand, from latch: Latch) -> Bool {
        blocked.withLock { blocked in
            let key = ObjectIdentifier(latch)
            guard let index = blocked[key]?.firstIndex(where: { $0 === errand }) else {
                return false
            }
            blocked[key]?.remove(at: index)
            if blocked[key]?.isEmpty == true {
                blocked[key] = nil
            }
            return true
        }
    }
}
