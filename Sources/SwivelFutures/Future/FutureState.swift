// SPDX-License-Identifier: Apache-2.0

/// The word that says how far a future is, and which callbacks are registered.
///
///     pending ──► completed, lane busy ⇄ completed, lane free
///        └─────► abandoned
///
/// The upper bits are the newest registered callback, which links to the older ones. Registering is a
/// compare-and-swap, completing takes the whole list; nothing is ever taken out of its middle. What a
/// flag means depends on whether the future is over.
enum FutureState {
    /// Nothing has happened, and nobody is registered.
    static let pending: UInt = 0
    /// There is a result, or there will never be one.
    static let over: UInt = 1

    /// Not over: somebody has taken the right to complete.
    static let claimed: UInt = 2
    /// Not over: threads wait in the ``WaitingRoom``.
    static let awaited: UInt = 4
    /// Not over: there are, or were, ``Visitors``.
    static let visited: UInt = 8

    /// There is a result.
    static let completed = over
    /// With `completed`: the callbacks' lane is somebody's.
    static let busy: UInt = 2
    /// There will never be a result, and those who wait are told so.
    static let abandoned = over | 4

    /// Objects lie at multiples of 16, and their cells too.
    static let flags: UInt = 15

    static func isCompleted(_ word: UInt) -> Bool { word & abandoned == completed }

    static func isAbandoned(_ word: UInt) -> Bool { word & abandoned == abandoned }

    static func isOver(_ word: UInt) -> Bool { word & over != 0 }

    /// The newest callback of the list.
    static func top(_ word: UInt) -> FutureRef? { FutureRef(bits: word & ~flags) }

    /// The word with `callback` as the newest of the list.
    static func push(_ callback: FutureRef, on word: UInt) -> UInt { callback.bits | word & flags }
}
