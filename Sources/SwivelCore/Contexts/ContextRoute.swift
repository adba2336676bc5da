// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// How futures bring their callbacks to a context; see ``ExecutionContext/route``.
///
/// One word, so that a future which waits to run a callback stores no existential and asks no
/// questions about types.
public struct ContextRoute: Hashable, Sendable {
    package let word: UInt

    private init(word: UInt) {
        self.word = word
    }

    /// On the caller's stack, at once.
    package static let immediate = ContextRoute(word: 0)

    /// Through ``ExecutionContext/execute(_:)``.
    package static let execute = ContextRoute(word: 1)

    /// Into this loop's inbox. The word is the loop's address, which is even and not zero.
    static func loop(_ loop: Loop) -> ContextRoute {
        ContextRoute(word: UInt(bitPattern: Unmanaged.passUnretained(loop).toOpaque()))
    }
}

extension Loop {
    /// Callbacks go straight into the loop's inbox.
    public var route: ContextRoute { .loop(self) }

    /// Why the loop refuses work; `nil` while it does not.
    package var refusal: SwivelError? {
        let status = swivel_loop_refusal(record)
        return status == SWIVEL_OK ? nil : SwivelError(status: status)
    }
}
