// SPDX-License-Identifier: Apache-2.0

/// The word that says how far a future is, and which callbacks are registered.
///
///     pending ──► completed
///        └─────► abandoned
///
/// While the future is pending, the upper bits are the newest registered callback, which links to
/// the older ones. Registering pushes one by a compare-and-swap; completing takes the whole list;
/// nothing leaves it from the middle. After completion the word is about the future's lane:
///
///     completed                 no callback that needs the lane waits or runs
///     completed, a callback     that one is on its way to its context
///     completed, busy           one runs, and no other waits
///     completed, lined up       the upper bits are a `Lane`, which knows the rest
///
/// The meaning of a flag depends on whether the future is over.
enum FutureState {
    /// Not complete, and without callbacks.
    static let pending: UInt = 0
    /// There is a result, or there will never be one.
    static let over: UInt = 1

    /// Not over: a thread has taken the right to complete.
    static let claimed: UInt = 2
    /// Not over: threads spin for the end, or wait in the ``WaitingRoom``.
    static let awaited: UInt = 4
    /// Not over: there are, or were, ``RemovableCallbacks``.
    static let hasRemovable: UInt = 8

    /// There is a result.
    static let completed = over
    /// With `completed`: a callback has the lane.
    static let busy: UInt = 2
    /// With `completed`: the upper bits are a ``Lane``. From here on the word does not change.
    static let linedUp: UInt = 8
    /// There will never be a result; a wait for it stops the program.
    static let abandoned = over | 4

    /// Objects lie at multiples of 16, and so do their cells.
    static let flags: UInt = 15

    static func isCompleted(_ word: UInt) -> Bool { word & abandoned == completed }

    static func isAbandoned(_ word: UInt) -> Bool { word & abandoned == abandoned }

    static func isOver(_ word: UInt) -> Bool { word & over != 0 }

    /// The newest callback of the list; after completion, the callback that is on its way.
    static func top(_ word: UInt) -> FuturePointer? { FuturePointer(bits: word & ~flags) }

    /// The word with `callback` as the newest of the list.
    static func push(_ callback: FuturePointer, on word: UInt) -> UInt {
        callback.bits | word & flags
    }

    /// The state of a completed future with a lane as an object, which the future owns.
    static func word(_ lane: Unmanaged<Lane>) -> UInt {
        UInt(bitPattern: lane.toOpaque()) | completed | linedUp
    }

    /// The lane of a future that has one as an object.
    static func lane(_ word: UInt) -> Unmanaged<Lane>? {
        guard word & (abandoned | linedUp) == completed | linedUp else { return nil }
        return UnsafeRawPointer(bitPattern: word & ~flags).map { Unmanaged.fromOpaque($0) }
    }
}
