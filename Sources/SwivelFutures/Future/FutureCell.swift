// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a future consists of, in raw words.
///
/// A future is at the same time the record of the callback that completes it: `map` allocates the
/// future that it returns and nothing else. What is here is reached through pointers, and nothing is
/// counted or checked on the way: each field names its owner.
@usableFromInline
struct FutureCell: ~Copyable {
    /// What runs as the future's own callback. `source` is the completed future that it waited for;
    /// `nil`: it will never run, and what it keeps is to be released.
    @usableFromInline typealias Step = @Sendable (_ future: FutureRef, _ source: FutureRef?) -> Void

    /// Before completion the callback's closure, afterwards the result. Owned by the thread that runs
    /// the step, and constant after completion. First, where ``FutureRef/place`` looks.
    @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)

    /// See ``FutureState``.
    let state = Atomic(FutureState.pending)

    /// What this future waits for, as a pointer that keeps nothing: see ``Lookout``. Written by whoever
    /// registers it. Once the future is over, whether somebody has heard or seen the result.
    let source = Atomic<UInt>(0)

    /// The newest of the callbacks that may leave, guarded by ``Visitors``' lock.
    let visitors = Atomic<UInt>(0)

    /// The next one in the list in which this future waits as a callback; later, the next one in its
    /// thread's trampoline. Owned by whoever owns that list.
    var next: FutureRef?

    /// Callbacks that are to run, in order. Owned by the lane. Of a callback that is not a future of
    /// its own: the future that it is to complete, or among visitors the one before it in the list.
    var lane: FutureRef?

    /// How to run the callback; once the future is over, how to destroy the result, and with a source
    /// to tell of a failure before that. Set before the future is registered, and before completion.
    @usableFromInline var step: Step?

    /// See ``home``.
    private let homeWord: Atomic<UInt>

    init(_ home: Home) {
        homeWord = Atomic(home.word)
    }

    /// Where the callback runs. **Thread:** the one that owns the step or the list it is in.
    var home: Home {
        Home(word: homeWord.load(ordering: .relaxed))
    }

    /// Where the callback runs, for a ``Lookout``.
    var homeInLook: Home {
        Home(word: homeWord.load(ordering: .sequentiallyConsistent))
    }

    /// Moves the callback. The future gets `home`'s reference, and gives its own back.
    ///
    /// **Thread:** the one that owns the step.
    func move(to home: Home) {
        let old = Home(word: homeWord.exchange(home.word, ordering: .sequentiallyConsistent))
        if old.isBoxed {
            Lookout.letPass()
        }
        old.release()
    }
}
