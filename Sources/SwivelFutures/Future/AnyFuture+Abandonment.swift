// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

// Futures that will never have a result, because whoever was to complete them is gone.
extension AnyFuture {
    static let releasedSource =
        "the future that this one derives from was released before it was completed"

    /// There will never be a result: callbacks are released, and those who wait stop the program with
    /// `reason`.
    ///
    /// **Thread:** any; the right to complete is the caller's.
    final func abandon(_ reason: String) {
        place.initializeMemory(as: Reason.self, to: Reason(reason))
        drop = { _ = $0.assumingMemoryBound(to: Reason.self).deinitialize(count: 1) }
        let word = state.exchange(FutureState.abandoned, ordering: .acquiringAndReleasing)
        if let newest = FutureState.top(word) {
            Self.end(newest, because: reason)
        }
        if word & FutureState.awaited != 0 {
            WaitingRoom.wakeAll(of: self)
        }
    }

    /// Why there will never be a result; `nil` while there may be one.
    final var reasonOfAbandonment: String? {
        FutureState.isAbandoned(state.load(ordering: .acquiring))
            ? place.assumingMemoryBound(to: Reason.self).pointee.text : nil
    }

    /// Ends the callbacks of a list that will never run, and what hangs on them in turn, without
    /// recursion. The caller gives up its references.
    static func end(_ newest: Unmanaged<AnyFuture>, because reason: String) {
        let trampoline = Trampoline.current
        var node: Unmanaged<AnyFuture>? = reversed(newest)
        let first = node
        while let current = node {
            current._withUnsafeGuaranteedRef { callback in
                callback.home.release()
                callback.home = Home(endedBecause: reason)
                node = callback.next
                if node == nil {
                    callback.next = trampoline.pointee.ending.map { .fromOpaque($0) }
                }
            }
        }
        trampoline.pointee.ending = first?.toOpaque()
        guard !trampoline.pointee.isEnding else { return }
        trampoline.pointee.isEnding = true
        while let opaque = trampoline.pointee.ending {
            let callback = Unmanaged<AnyFuture>.fromOpaque(opaque).takeRetainedValue()
            trampoline.pointee.ending = callback.next?.toOpaque()
            callback.next = nil
            callback.step?(callback, nil)
        }
        trampoline.pointee.isEnding = false
    }

    /// Why this future, as a callback, will never run.
    final var cause: AbandonmentCause {
        if let reason = home.reason {
            return .abandoned(reason)
        }
        if let refusal = home.loop?.refusal {
            return .refused(refusal)
        }
        return .abandoned("its callback was released by the context that was to run it")
    }
}

/// Why a future will never have a result.
enum AbandonmentCause {
    /// The loop that was to run the callback takes nothing any more.
    case refused(SwivelError)
    /// Whoever was to complete the future is gone.
    case abandoned(String)
}

/// Why a future was abandoned, in the place of its result.
private final class Reason {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}
