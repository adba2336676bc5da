// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension Atomic where Value == UInt64 {
    /// Makes the value at least `least`, by itself a relaxed operation. Returns the value before.
    ///
    /// `max(_:ordering:)` is not used: Swift 6.3 compares its operands as signed numbers.
    @discardableResult
    func raise(to least: UInt64) -> UInt64 {
        var found = load(ordering: .relaxed)
        while found < least {
            let (exchanged, original) = weakCompareExchange(
                expected: found, desired: least, ordering: .relaxed)
            if exchanged { break }
            found = original
        }
        return found
    }
}
