// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import Synchronization

/// Completes a future once. Releasing it uncompleted abandons the future.
///
/// After that it holds nothing: closures that still hold the completer keep no result.
@usableFromInline
package final class Completer<Value: Sendable, Failure: Error>: Sendable {
    /// The future, with a reference, as a word; 0 once it was taken. Acquire and release: the
    /// thread that takes it sees the future as its maker left it.
    private let word: Atomic<UInt>
    /// The loop whose shutdown would release the completer. It is not kept: the completer lies in
    /// one of its timers.
    private let loop: LoopRecord?

    /// - Parameter context: Where the work runs that completes the future, if that is known.
    @usableFromInline
    package init(_ future: Future<Value, Failure>, on context: (any ExecutionContext)? = nil) {
        word = Atomic(UInt(bitPattern: Unmanaged.passRetained(future).toOpaque()))
        loop = (context as? Loop).map(LoopRecord.init)
    }

    /// Completes the future. Only the first call does anything.
    @usableFromInline
    package func complete(_ result: Result<Value, Failure>) {
        take()?.resolve(result)
    }

    /// Ends the future without a result. Only the first call does anything.
    func end(because cause: SwivelError) {
        take()?.end(because: cause)
    }

    /// Completes the future as another one has ended, whose own failures become
    /// ``FutureError/failed(_:)``.
    func follow<E>(_ ending: Ending<Value, E>) where Failure == FutureError<E> {
        switch ending {
        case .result(let result): complete(result.mapError { .failed($0) })
        case .never(let cause): end(because: cause)
        }
    }

    /// The future, for the first caller.
    private func take() -> Future<Value, Failure>? {
        UnsafeRawPointer(bitPattern: word.exchange(0, ordering: .acquiringAndReleasing)).map {
            Unmanaged<Future<Value, Failure>>.fromOpaque($0).takeRetainedValue()
        }
    }

    /// As a release, if no call has completed the future.
    func abandon() {
        take()?.end(
            because: loop?.refusal
                ?? .abandoned("what was to complete the future was released before"))
    }

    deinit { abandon() }
}
