// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// The duty to complete a future: the first call does, and who drops it before that ends the future.
///
/// Once it is done the pledge holds nothing, so that closures which still hold the pledge, in a timer
/// or in another future's list, keep neither the future nor its result.
@usableFromInline
package final class Pledge<Value: Sendable, Failure: Error>: Sendable {
    /// The future, with a reference, as a word; 0 when it is done. Taken with acquire and release, so
    /// that who takes it sees the future as its maker left it.
    private let word: Atomic<UInt>
    /// Whose shutdown would release the pledge.
    private let loop: Loop?

    @usableFromInline
    package convenience init(_ future: Future<Value, Failure>) {
        self.init(future, on: nil)
    }

    /// The duty of work on `context`.
    init(_ future: Future<Value, Failure>, on context: (any ExecutionContext)?) {
        word = Atomic(UInt(bitPattern: Unmanaged.passRetained(future).toOpaque()))
        loop = context as? Loop
    }

    /// Completes the future. Only the first call does anything.
    @usableFromInline
    package func complete(_ result: Result<Value, Failure>) {
        take()?.resolve(result)
    }

    /// Ends the future without a result. Only the first call does anything.
    func end(because cause: AbandonmentCause) {
        take()?.end(because: cause)
    }

    /// Completes the future as another one, whose own failures are ``FutureError/failed(_:)`` here.
    func follow<E>(_ ending: Ending<Value, E>) where Failure == FutureError<E> {
        switch ending {
        case .result(let result): complete(result.mapError { .failed($0) })
        case .never(let cause): end(because: cause)
        }
    }

    private func take() -> Future<Value, Failure>? {
        UnsafeRawPointer(bitPattern: word.exchange(0, ordering: .acquiringAndReleasing)).map {
            Unmanaged<Future<Value, Failure>>.fromOpaque($0).takeRetainedValue()
        }
    }

    deinit {
        guard let future = take() else { return }
        if let refusal = loop?.refusal {
            future.end(because: .refused(refusal))
        } else {
            future.end(
                because: .abandoned("what was to complete the future was released before"))
        }
    }
}
