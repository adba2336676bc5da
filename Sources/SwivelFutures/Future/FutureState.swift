// SPDX-License-Identifier: Apache-2.0

/// The word that says how far a future is, and which callbacks are registered.
///
///     pending ──► completed, lane busy ⇄ completed, lane free
///        └─────► abandoned
///
/// The upper bits are the newest registered callback, which links to the older ones. Registering
/// pushes one by a compare-and-swap; completing takes the whole list; nothing leaves it from the
/// middle. The meaning of a flag depends on whether the future is over.
enum FutureState {
    /// Not complete, and without callbacks.
    static let pending: UInt = 0
    /// There is a result, or there will never be one.
    static let over: UInt = 1

    /// Not over: somebody has taken the right to complete.
    static let claimed: UInt = 2
    /// Not over: threads look for the end, or wait in the ``WaitingRoom``.
    static let awaited: UInt = 4
    /// Not over: there are, or were, ``RemovableCallbacks``.
    static let hasRemovable: UInt = 8

    /// There is a result.
    static let completed = over
    /// With `completed`: a thread has the lane.
    static let busy: UInt = 2
    /// There will never be a result; a wait for it stops the program.
    static let abandoned = over | 4

    /// Objects lie at multiples of 16, and so do their cells.
    static let flags: UInt = 15

    static func isCompleted(_ word: UInt) -> Bool { word & abandoned == completed }

    static func isAbandoned(_ word: UInt) -> Bool { word & abandoned == abandoned }

    static func isOver(_ word: UInt) -> Bool { word & over != 0 }

    /// The newest callback of the list.
    static func top(_ word: UInt) -> FuturePointer? { FuturePointer(bits: word & ~flags) }

    /// The word with `callback` as the newest of the list.
    static func push(_ callback: FuturePointer, on word: UInt) -> UInt {
        callback.bits | word & flags
    }
}
