// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import Synchronization

/// The write end of a ``Future``.
///
/// A promise that is released without having been completed fails its future: with
/// ``SwivelError/Code/abandoned`` if `Failure` is `any Error` or ``SwivelError``, with
/// ``FutureError/abandoned`` if it is that type. Any other type cannot express it: then debug
/// builds trap at once with the line that made the promise, and in release builds a wait traps with
/// that text. No wait is endless.
///
/// **Thread:** any. Immediate callbacks of the future run inside the call that completes it, or
/// after the callback around that.
public final class Promise<Value: Sendable, Failure: Error>: Sendable {
    /// The future that the promise completes.
    public let future = Future<Value, Failure>()

    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt

    /// A promise with a new future.
    ///
    /// - Parameter file: The call site with `line`, for the message if it is released uncompleted.
    /// - Complexity: O(1), two allocations.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        self.file = file
        self.line = line
        future.noteSite(file, line)
    }

    deinit {
        guard future.claim() else { return }
        let reason = "the promise made at \(file):\(line) was dropped without being completed"
        #if DEBUG
        check(
            Failure.abandonment(.abandoned(reason)) != nil,
            "\(reason), and \(Failure.self) cannot say so; complete it on every path, or let it fail"
                + " with any Error or FutureError", file: file, line: line)
        #endif
        future.end(because: .abandoned(reason))
    }

    /// Completes the future with `value`. A second completion traps in debug builds, and is ignored
    /// in release builds.
    ///
    /// - Parameters:
    ///   - file: The call site with `line`, for the message of a trap.
    ///   - site: Nothing to pass. With it, `promise.succeed` as a function value is
    ///     ``succeed(_:)``.
    /// - Complexity: O(1) and the callbacks.
    @inlinable
    public func succeed<Site>(
        _ value: consuming Value, file: StaticString = #fileID, line: UInt = #line,
        site: Site.Type = Never.self
    ) {
        if !trySucceed(value) { refuse(file, line) }
    }

    /// Completes the future with `error`. The rest is as in ``succeed(_:file:line:site:)``, `site`
    /// too.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    public func fail<Site>(
        _ error: consuming Failure, file: StaticString = #fileID, line: UInt = #line,
        site: Site.Type = Never.self
    ) {
        if !tryFail(error) { refuse(file, line) }
    }

    /// Completes the future with `result`. The rest is as in ``succeed(_:file:line:site:)``, `site`
    /// too.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    public func complete<Site>(
        _ result: consuming Result<Value, Failure>, file: StaticString = #fileID,
        line: UInt = #line, site: Site.Type = Never.self
    ) {
        if !tryComplete(result) { refuse(file, line) }
    }

    /// Completes the future with `value`, as a function value: `api(promise.succeed)`. A second
    /// completion traps in debug builds with the line that made the promise.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @_disfavoredOverload
    public func succeed(_ value: consuming Value) {
        if !trySucceed(value) { refuse(file, line) }
    }

    /// Completes the future with `error`, as a function value. See ``succeed(_:)``.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @_disfavoredOverload
    public func fail(_ error: consuming Failure) {
        if !tryFail(error) { refuse(file, line) }
    }

    /// Completes the future with `result`, as a function value. See ``succeed(_:)``.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @_disfavoredOverload
    public func complete(_ result: consuming Result<Value, Failure>) {
        if !tryComplete(result) { refuse(file, line) }
    }

    /// Completes the future with `value`, unless it is completed. Returns whether this call did.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @discardableResult
    public func trySucceed(_ value: consuming Value) -> Bool {
        tryComplete(.success(value))
    }

    /// Completes the future with `error`, unless it is completed. Returns whether this call did.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @discardableResult
    public func tryFail(_ error: consuming Failure) -> Bool {
        tryComplete(.failure(error))
    }

    /// Completes the future with `result`, unless it is completed. Returns whether this call did.
    /// - Complexity: As ``succeed(_:file:line:site:)``.
    @inlinable
    @discardableResult
    public func tryComplete(_ result: consuming Result<Value, Failure>) -> Bool {
        future.resolveOnce(result)
    }

    /// Completes the future as `other` does. From this call on no other call can complete it. Stops
    /// the program if `other` waits for this future.
    /// - Parameter file: The call site with `line`, for the message of a trap.
    /// - Complexity: O(1), or O(n log n) for n links between futures with callbacks.
    @inlinable
    public func complete(
        with other: Future<Value, Failure>, file: StaticString = #fileID, line: UInt = #line
    ) {
        if future.claim() {
            future.follow(other)
        } else {
            refuse(file, line)
        }
    }

    /// As ``complete(with:file:line:)``, as a function value: `promise.complete(with:)` of `other`.
    /// - Complexity: As ``complete(with:file:line:)``.
    @inlinable
    @_disfavoredOverload
    public func complete(with other: Future<Value, Failure>) {
        complete(with: other, file: file, line: line)
    }

    @usableFromInline
    func refuse(_ file: StaticString, _ line: UInt) {
        #if DEBUG
        trap(
            "a promise completed before is completed again; use the try… forms where several may",
            file: file, line: line)
        #endif
    }
}

/// Completes a future once, and holds nothing then: closures that still hold the completer keep no
/// result. Releasing it uncompleted abandons the future.
@usableFromInline
package final class Completer<Value: Sendable, Failure: Error>: Sendable {
    /// The future, with a reference, as a word; 0 once it was taken. Acquire and release: the
    /// thread that takes it sees the future as its maker left it.
    private let word: Atomic<UInt>
    /// The loop whose shutdown would release the completer, which lies in one of the loop's timers.
    private let loop: LoopRecord?

    /// - Parameter context: Where the work runs that completes the future, if known.
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

    /// Completes the future as another one has ended, whose own failures become
    /// ``FutureError/failed(_:)``.
    func follow<E>(_ ending: Ending<Value, E>) where Failure == FutureError<E> {
        switch ending {
        case .result(let result): complete(result.mapError { .failed($0) })
        case .never(let cause): take()?.end(because: cause)
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
