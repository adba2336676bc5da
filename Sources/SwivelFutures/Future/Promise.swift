// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// The write end of a ``Future``.
///
/// A promise that is dropped without having been completed fails its future: with
/// ``SwivelError/Code/abandoned`` where `Failure` can hold it (`any Error`, ``SwivelError``), or with
/// ``FutureError/abandoned``. Where it cannot, debug builds stop at once and name the line that made
/// the promise, and release builds stop who waits, with that text: nobody waits for ever.
public final class Promise<Value: Sendable, Failure: Error>: Sendable {
    /// The future to hand out.
    public let future = Future<Value, Failure>()

    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt

    /// A promise.
    ///
    /// - Parameters:
    ///   - file: Where it is made, for the message if it is dropped.
    ///   - line: See `file`.
    /// - Complexity: O(1), two allocations.
    public init(file: StaticString = #fileID, line: UInt = #line) {
        self.file = file
        self.line = line
        future.noteSite(file, line)
    }

    deinit {
        if future.claim() {
            drop()
        }
    }

    private func drop() {
        let reason = "the promise made at \(file):\(line) was dropped without being completed"
        #if DEBUG
        check(
            Failure.abandonment(.abandoned(reason)) != nil,
            "\(reason), and \(Failure.self) cannot say so; complete it on every path, or let it fail"
                + " with any Error or FutureError", file: file, line: line)
        #endif
        future.end(because: .abandoned(reason))
    }

    /// Completes the future with a value.
    ///
    /// **Thread:** any, once: a second completion traps in debug builds and is ignored in release.
    @inlinable
    public func succeed(_ value: consuming Value) {
        if !trySucceed(value) { refuse() }
    }

    /// Completes the future with an error. See ``succeed(_:)``.
    @inlinable
    public func fail(_ error: consuming Failure) {
        if !tryFail(error) { refuse() }
    }

    /// Completes the future with a result. See ``succeed(_:)``.
    @inlinable
    public func complete(_ result: consuming Result<Value, Failure>) {
        if !tryComplete(result) { refuse() }
    }

    /// Completes the future with a value, unless it is completed.
    ///
    /// - Returns: Whether this call did.
    @inlinable
    @discardableResult
    public func trySucceed(_ value: consuming Value) -> Bool {
        tryComplete(.success(value))
    }

    /// Completes the future with an error, unless it is completed.
    ///
    /// - Returns: Whether this call did.
    @inlinable
    @discardableResult
    public func tryFail(_ error: consuming Failure) -> Bool {
        tryComplete(.failure(error))
    }

    /// Completes the future with a result, unless it is completed.
    ///
    /// - Returns: Whether this call did.
    @inlinable
    @discardableResult
    public func tryComplete(_ result: consuming Result<Value, Failure>) -> Bool {
        guard future.claim() else { return false }
        future.resolve(result)
        return true
    }

    /// Completes the future as `other` does, when it does. This call takes the right to complete.
    ///
    /// **Thread:** any, once; see ``succeed(_:)``.
    @inlinable
    public func complete(with other: Future<Value, Failure>) {
        if future.claim() {
            future.follow(other)
        } else {
            refuse()
        }
    }

    @usableFromInline
    func refuse() {
        #if DEBUG
        trap(
            "a promise completed before is completed again; use the try… forms where several may",
            file: file, line: line)
        #endif
    }
}
