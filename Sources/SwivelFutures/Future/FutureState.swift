// SPDX-License-Identifier: Apache-2.0

/// The word that says how far a future is, and which callbacks are registered.
///
///     pending ──► completed, lane busy ⇄ completed, lane free
///        └─────► abandoned
///
/// The upper bits are the newest registered callback, which links to the older ones. Registering is a
/// compare-and-swap, completing takes the whole list; nothing is ever taken out of its middle.
enum FutureState {
    /// Nothing has happened, and nobody is registered.
    static let pending: UInt = 0
    /// There is a result.
    static let completed: UInt = 1
    /// With `completed`: the callbacks' lane is somebody's. Without it: there will never be a result.
    static let busy: UInt = 2
    /// There will never be a result, and those who wait are told so.
    static let abandoned: UInt = busy
    /// Somebody has taken the right to complete.
    static let claimed: UInt = 4
    /// Threads wait in the ``WaitingRoom``.
    static let awaited: UInt = 8

    /// Objects lie at multiples of 16, and their cells too.
    private static let flags: UInt = 15

    static func isCompleted(_ word: UInt) -> Bool { word & completed != 0 }

    static func isAbandoned(_ word: UInt) -> Bool { word & (completed | busy) == abandoned }

    static func isOver(_ word: UInt) -> Bool { word & (completed | busy) != 0 }

    /// The newest callback of the list.
    static func top(_ word: UInt) -> FutureRef? { FutureRef(bits: word & ~flags) }

    /// The word with `callback` as the newest of the list.
    static func push(_ callback: FutureRef, on word: UInt) -> UInt { callback.bits | word & flags }
}
