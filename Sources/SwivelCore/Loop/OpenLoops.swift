// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import CSwivel.Internal

/// The loops with a thread and the manual loops that exist, by address, for reports: a future has
/// the address of its loop, and need not keep the loop.
package enum OpenLoops {
    private struct Entry {
        /// `nil`: it has a thread.
        weak var manual: Loop?
        let record: OpaquePointer
        let name: String
        let hasThread: Bool
        var isReported = false
    }

    private static let entries = {
        atexit { reportDropped() }
        return Lock<[UInt: Entry]>.ofProcess { _ in [:] }
    }()

    private static func address(of loop: Loop) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque())
    }

    static func add(_ loop: Loop) {
        let entry = Entry(
            manual: loop.hasThread ? nil : loop, record: loop.record,
            name: loop.configuration.name, hasThread: loop.hasThread)
        entries.withLock { $0[address(of: loop)] = entry }
    }

    /// The loop is about to be released.
    static func remove(_ loop: Loop) {
        _ = entries.withLock { $0.removeValue(forKey: address(of: loop)) }
    }

    /// Whether a manual loop is at the address. Keeps and releases nothing. **Thread:** any.
    package static func hasManual(at address: UInt) -> Bool {
        entries.withLock { $0[address].map { !$0.hasThread } ?? false }
    }

    /// The manual loop at the address, if one is there. **Thread:** any.
    package static func manual(at address: UInt) -> Loop? {
        entries.withLock { $0[address]?.manual }
    }

    /// Reports loops with a thread that were released without a shutdown and have nothing left to
    /// run, each of them once: when the next loop is made, and when the program ends. Their threads
    /// keep them, so that timers without a handle fire. **Thread:** any.
    static func reportDropped() {
        let names = entries.withLock { entries in
            entries.keys.compactMap { address -> String? in
                guard let entry = entries[address], entry.hasThread, !entry.isReported,
                    hasOneReference(address), swivel__loop_is_idle(entry.record)
                else { return nil }
                entries[address]?.isReported = true
                return entry.name
            }
        }
        for name in names {
            Diagnostics.report(
                """
                the loop '\(name)' was released and not shut down: its thread and its descriptors \
                stay; call shutdown() when it has done its work
                """)
        }
    }

    /// Whether only its own thread refers to the loop. Under the lock, which keeps it.
    private static func hasOneReference(_ address: UInt) -> Bool {
        // The word is the thread's own reference, in place: a copy would be another one.
        var address = address
        return withUnsafeMutablePointer(to: &address) { word in
            word.withMemoryRebound(to: Loop.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
    }
}
#endif
