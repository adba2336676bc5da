// SPDX-License-Identifier: Apache-2.0
/// A count that closures without captures can raise, the same function on every side.
package enum PlainCount {
    // `nonisolated(unsafe)` because only the closures of one loop or serial queue raise it, and
    // other code touches it before they start or after having waited for them.
    nonisolated(unsafe) private static var count = 0

    @inline(never)
    package static func raise() { count &+= 1 }

    /// Reads the count and sets it back to zero.
    package static func take() -> Int {
        defer { count = 0 }
        return count
    }
}
