// SPDX-License-Identifier: Apache-2.0
#if DEBUG
/// The manual loops that exist, by address, for reports about waits: a future has the address of its
/// loop, and need not keep the loop.
package enum ManualLoops {
    private struct Entry {
        weak var loop: Loop?
    }

    private static let entries = Lock<[UInt: Entry]>.ofProcess { _ in [:] }

    private static func address(of loop: Loop) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque())
    }

    static func add(_ loop: Loop) {
        entries.withLock { $0[address(of: loop)] = Entry(loop: loop) }
    }

    /// The loop is about to go.
    static func remove(_ loop: Loop) {
        _ = entries.withLock { $0.removeValue(forKey: address(of: loop)) }
    }

    /// Whether a manual loop is at the address. Keeps and releases nothing. **Thread:** any.
    package static func contains(_ address: UInt) -> Bool {
        entries.withLock { $0.index(forKey: address) != nil }
    }

    /// The manual loop at the address, if one is there. **Thread:** any.
    package static func loop(at address: UInt) -> Loop? {
        entries.withLock { $0[address]?.loop }
    }
}
#endif
