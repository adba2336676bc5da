// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The places in memory that fresh objects of one kind take in turn.
package enum MemoryPlaces {
    private static let count = 7
    private static let opened = Atomic(0)

    /// How many objects to make before the next one, which is to lie elsewhere than the last.
    package static func next() -> Int {
        opened.wrappingAdd(1, ordering: .relaxed).oldValue % count
    }
}
