// SPDX-License-Identifier: Apache-2.0

/// A value that several threads touch.
package final class Shared<Value>: @unchecked Sendable {
    // because the monitor guards it.
    private let monitor = Monitor()
    private var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value {
        get { monitor.locked { stored } }
        set {
            // The old value is released outside the lock: its deinit may be what is being tested.
            let old = monitor.locked {
                let old = stored
                stored = newValue
                return old
            }
            _ = old
        }
    }

    @discardableResult
    package func update<R>(_ body: (inout Value) -> R) -> R {
        monitor.locked { body(&stored) }
    }
}

extension Shared where Value: RangeReplaceableCollection {
    package convenience init() { self.init(Value()) }

    package func append(_ element: Value.Element) {
        update { $0.append(element) }
    }
}

extension Shared where Value == Int {
    package convenience init() { self.init(0) }

    /// Adds to the number, and returns the sum.
    @discardableResult
    package func add(_ amount: Int = 1) -> Int {
        update { number in
            number += amount
            return number
        }
    }
}
