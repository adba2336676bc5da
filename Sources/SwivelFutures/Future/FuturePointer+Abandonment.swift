// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Futures that will never have a result, because whoever was to complete them is gone.
extension FutureRef {
    static let releasedSource = AbandonmentCause.abandoned(
        "the future that this one derives from was released before it was completed")

    /// There will never be a result: callbacks are released, and those who wait stop the program with
    /// its text.
    ///
    /// **Thread:** any; the right to complete is the caller's.
    func abandon(_ cause: AbandonmentCause) {
        place.initializeMemory(as: Reason.self, to: Reason(cause))
        cell.pointee.step = { future, _ in
            _ = future.place.assumingMemoryBound(to: Reason.self).deinitialize(count: 1)
        }
        let word = cell.pointee.state.exchange(
            FutureState.abandoned, ordering: .sequentiallyConsistent)
        if word & FutureState.awaited != 0 {
            WaitingRoom.wakeAll(of: self)
        }
        endCallbacks(word, because: cause)
    }

    /// Ends the callbacks that wait for this future, which was pending until now.
    ///
    /// - Parameter word: The last state that it had then.
    func endCallbacks(_ word: UInt, because cause: AbandonmentCause) {
        var newest = FutureState.top(word)
        if word & FutureState.visited != 0 {
            newest = visitorsTaken(before: newest)
        }
        if let newest {
            Self.end(newest, because: cause)
        }
    }

    /// Why there will never be a result; `nil` while there may be one.
    var causeOfAbandonment: AbandonmentCause? {
        FutureState.isAbandoned(cell.pointee.state.load(ordering: .acquiring))
            ? place.assumingMemoryBound(to: Reason.self).pointee.cause : nil
    }

    /// Ends the callbacks of a list that will never run, and what hangs on them in turn, without
    /// recursion. The caller gives up its references.
    static func end(_ newest: FutureRef, because cause: AbandonmentCause) {
        let ended = Home(endedBecause: cause)
        defer { ended.release() }
        let trampoline = Trampoline.ofThread
        let first = reversed(newest)
        var node = first
        while let callback = node {
            callback.cell.pointee.move(to: ended.retained())
            // What it waited for may be gone before it runs.
            callback.cell.pointee.source.bitwiseAnd(linking, ordering: .sequentiallyConsistent)
            node = callback.cell.pointee.next
            if node == nil {
                callback.cell.pointee.next = FutureRef(trampoline.pointee.ending)
            }
        }
        trampoline.pointee.ending = first?.opaque
        trampoline.pointee.run = goOn
        if !trampoline.pointee.isEnding {
            endAll(trampoline)
        }
    }

    /// Ends what the thread has still to end.
    static func endAll(_ trampoline: UnsafeMutablePointer<Trampoline>) {
        trampoline.pointee.isEnding = true
        while let callback = FutureRef(trampoline.pointee.ending) {
            trampoline.pointee.ending = callback.cell.pointee.next?.opaque
            callback.cell.pointee.next = nil
            callback.cell.pointee.step?(callback, nil)
            callback.release()
        }
        trampoline.pointee.isEnding = false
    }

    /// Whether the future can fail because a loop is full.
    var canBeRefused: Bool {
        object.takeUnretainedValue().canFail(because: .refused(.queueFull))
    }

    /// Why this future, as a callback, will never run.
    var cause: AbandonmentCause {
        let home = cell.pointee.home
        if let cause = home.cause {
            return cause
        }
        if let refusal = home.loop?.refusal {
            return .refused(refusal)
        }
        return .abandoned("its callback was released by the context that was to run it")
    }
}

extension SwivelError {
    static var queueFull: SwivelError {
        SwivelError(.queueFull, "as many posts wait on the loop as its maxPendingPosts allows")
    }
}

/// Why a future will never have a result.
enum AbandonmentCause: Sendable {
    /// The loop that was to run the callback takes nothing any more.
    case refused(SwivelError)
    /// Whoever was to complete the future is gone.
    case abandoned(String)
}

/// The cause in a word, for the place of the result.
private final class Reason {
    let cause: AbandonmentCause

    init(_ cause: AbandonmentCause) {
        self.cause = cause
    }
}
