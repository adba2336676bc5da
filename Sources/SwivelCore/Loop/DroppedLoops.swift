// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import CSwivel
internal import CSwivel.Internal

/// Reports loops with a thread that were released without a shutdown and have nothing left to run:
/// when the next loop is made, and when the program ends. Their threads keep them, so that timers
/// without a handle fire.
enum DroppedLoops {
    private struct Entry {
        let record: OpaquePointer
        let name: String
        var isReported = false
    }

    /// The loops that have not closed, by address.
    private static let entries = {
        atexit { report() }
        return Lock<[UInt: Entry]>.ofProcess { _ in [:] }
    }()

    private static func address(of loop: Loop) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque())
    }

    static func add(_ loop: Loop) {
        let entry = Entry(record: loop.record, name: loop.configuration.name)
        entries.withLock { $0[address(of: loop)] = entry }
    }

    /// The loop has closed, and its thread is about to release it.
    static func remove(_ loop: Loop) {
        _ = entries.withLock { $0.removeValue(forKey: address(of: loop)) }
    }

    /// Reports each of them once. **Thread:** any.
    static func report() {
        let names = entries.withLock { entries in
            entries.keys.compactMap { address -> String? in
                guard let entry = entries[address], !entry.isReported,
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
