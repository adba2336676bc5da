// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// An atomic number that closures can capture.
package final class Counter: Sendable {
    private let number: Atomic<Int>

    package init(_ value: Int = 0) { number = Atomic(value) }

    package var value: Int { number.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    package func add(_ amount: Int = 1) -> Int {
        number.wrappingAdd(amount, ordering: .sequentiallyConsistent).newValue
    }
}
