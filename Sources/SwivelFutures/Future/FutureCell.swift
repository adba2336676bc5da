// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The fields of a future, in raw words.
///
/// A future is also the record of the callback that completes it: `map` allocates the future that
/// it returns and nothing else. A ``FuturePointer`` reaches the fields without counting or checking
/// anything; each names its owner. See docs/design/futures-lane.md.
@usableFromInline
struct FutureCell: ~Copyable {
    /// Runs the future as a callback. `source` is the completed future that it waited for; `nil`:
    /// the callback will never run, and what its payload keeps is to be released.
    @usableFromInline typealias Step =
        @Sendable (_ future: FuturePointer, _ source: FuturePointer?) -> Void

    /// The payload: the callback's closure before completion, the result after it. Owned by the
    /// thread that runs the step, and constant after completion. The first field, at
    /// ``FuturePointer/payload``.
    @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)

    /// See ``FutureState``.
    let state = Atomic(FutureState.pending)

    /// The future that this one waits for, as a pointer that keeps nothing: see ``SourceTrace``.
    /// Written by the thread that registers this one. Once the future is over: see
    /// ``FuturePointer/observed``.
    let source = Atomic<UInt>(0)

    /// The newest of the removable callbacks, see RemovableCallbacks.swift.
    let removable = Atomic<UInt>(0)

    /// The next one in the list in which this future waits as a callback, or later in a thread's
    /// trampoline. Owned by the owner of that list.
    var next: FuturePointer?

    /// Of a callback that needs the lane: the one behind it in its line, guarded by the lane's
    /// lock.
    var link: FuturePointer?

    /// How to run the callback; once the future is over, how to destroy the result, and with a
    /// source to report a failure before that. Set before the future is registered, and before
    /// completion.
    @usableFromInline var step: Step?

    /// See ``context``.
    private let contextWord: Atomic<UInt>

    @usableFromInline
    init(_ context: CallbackContext) {
        contextWord = Atomic(context.word)
    }

    /// Where the callback runs; once it has ended, or is an abandoned future, why. **Thread:** the
    /// one that owns the step or the list it is in; of an abandoned future any.
    var context: CallbackContext {
        // Relaxed: `move` is called by that thread only.
        CallbackContext(word: contextWord.load(ordering: .relaxed))
    }

    /// Where the callback runs, for a ``SourceTrace``.
    var contextInTrace: CallbackContext {
        CallbackContext(word: contextWord.load(ordering: .sequentiallyConsistent))
    }

    /// From here on the future waits for no context: its work has started, or it follows another
    /// one. As `move(to: .direct)`, but a word that owns nothing needs no exchange: of a loop or a
    /// pool a trace reads no more than the address. **Thread:** the thread that runs the step.
    @usableFromInline
    func leaveContext() {
        if context.isLent {
            contextWord.store(CallbackContext.direct.word, ordering: .relaxed)
        } else {
            move(to: .direct)
        }
    }

    /// Moves the callback. The future gets `context`'s reference, and gives its own back.
    /// **Thread:** the thread that owns the step.
    func move(to context: CallbackContext) {
        // Sequentially consistent, and before the check for a trace: the trace either reads the new
        // word, or is waited for before the old context goes.
        let old = CallbackContext(
            word: contextWord.exchange(context.word, ordering: .sequentiallyConsistent))
        if old.isBoxed { SourceTrace.letFinish() }
        old.release()
    }
}

// A callback that needs no lane stands in no line, and the word serves another purpose.
extension FutureCell {
    /// The one before a removable callback in its list.
    var previous: FuturePointer? {
        get { link }
        set { link = newValue }
    }

    /// The future that a ``Walk`` completes, in the cell of the walk's callback.
    var walked: FuturePointer? {
        get { link }
        set { link = newValue }
    }
}

/// The state word of a future, with the registered callbacks.
///
///     pending ──► completed
///        └─────► abandoned
///
/// While the future is pending, the upper bits are the newest registered callback, which links to
/// the older ones. Registering pushes one by a compare-and-swap, and completing takes the whole
/// list. After completion the word is about the future's lane:
///
///     completed                 no callback that needs the lane waits or runs
///     completed, a callback     that one is on its way to its context
///     completed, busy           one runs, and no other waits
///     completed, lined up       the upper bits are a `Lane`, which has the rest
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
    /// Not over: there are, or were, removable callbacks.
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
