// SPDX-License-Identifier: Apache-2.0
/// A count that the measured closures capture and raise. To them it is a plain pointer: with a
/// number beside it a closure's captures are one allocation, and no reference count that threads
/// would fight over instead of the work that is measured.
package struct Tally: @unchecked Sendable {
    // `@unchecked` because only the closures of one loop or serial queue write, and other code
    // reads after having waited for them.
    package let cell: UnsafeMutablePointer<Int>

    /// A count of zero. It is never freed: a contest that failed may leave closures behind.
    package init() {
        cell = .allocate(capacity: 1)
        cell.initialize(to: 0)
    }

    package var value: Int { cell.pointee }
}

/// Numbers by index, for closures that each have a place of their own.
package final class Places: @unchecked Sendable {
    // `@unchecked` because each place is written by closures of one loop, queue or thread, and
    // other code reads after having waited for them.
    package let cells: UnsafeMutablePointer<UInt32>
    package let count: Int

    package init(_ count: Int) {
        self.count = count
        cells = .allocate(capacity: max(count, 1))
        cells.initialize(repeating: 0, count: max(count, 1))
    }

    deinit { cells.deallocate() }

    /// How many places have counted more than this.
    package func placesAbove(_ limit: UInt32) -> Int { (0..<count).count { cells[$0] > limit } }

    /// The sum, with no place counting for more than `cap`.
    package func sum(cappedAt cap: Int) -> Int {
        (0..<count).reduce(0) { $0 + min(Int(cells[$1]), cap) }
    }
}
