// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// A value that will be there later, or an error instead.
///
/// A future completes once: by its ``Promise``, by the closure that it was made with, or by the
/// future from which it derives. Each callback runs once, on its own context, in registration order
/// there; callbacks of one future never overlap. Those on `.immediate` run first, in the thread
/// that completes the future. Only a callback on `.immediate` may run inside the call that
/// registers it. On the loop that is current a callback runs after the running closure has
/// returned, in order with the thread's posts, and in the same turn unless its budget is spent.
///
/// A callback that has not started delays none on another context. One whose turn comes while
/// another callback of the future runs is sent to its context again afterwards; one on `.immediate`
/// runs then in the thread on which that has returned. The closures of `map` and the other
/// transformations wait for no callback, and may run next to one.
///
/// When an immediate callback, or a transformation on `.immediate`, completes another future, that
/// one's immediate callbacks run after it has returned, and not before the others: a chain of any
/// length needs no stack. When a callback waits by any blocking call
/// of Swivel's, the next callback may start, because the wait may be for it.
///
/// **Thread:** any, for each member that says nothing else.
///
/// ```swift
/// let user = login(name).flatMap { fetch($0) }.timeout(.seconds(2))
/// user.onSuccess(on: loop) { print($0) }
/// ```
@dynamicMemberLookup
public final class Future<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // because `cell.state` decides who may touch what.
    @usableFromInline @exclusivity(unchecked) var cell: FutureCell

    /// A future that never completes.
    /// - Complexity: O(1), one allocation.
    @inlinable
    public init() {
        cell = FutureCell(.direct)
    }

    /// A future that is a callback, and runs on `context`.
    @inlinable
    init(at context: CallbackContext) {
        cell = FutureCell(context)
    }

    /// A future that keeps `payload` until its `step` runs on `context`, which is lent for this
    /// call and begins at once. (A convenience initializer would count a reference more for
    /// `self`.)
    /// - Parameters:
    ///   - payload: Begins with a closure: see ``CallbackWords/hasClosure``.
    ///   - canBeRefused: Whether it can fail because the loop is full.
    @inlinable
    init<Payload>(
        on context: CallbackContext, _ payload: consuming Payload,
        canBeRefused: () -> Bool, step: @escaping FutureCell.Step
    ) {
        cell = FutureCell(context)
        pointer.keep(payload)
        FuturePointer.start(self, canBeRefused: canBeRefused, step: step)
    }

    deinit {
        pointer.destroyContents()
    }

    /// The future as a pointer, which counts no references: unless something keeps the object, the
    /// compiler may release it at once. Made from an `Unmanaged`: if only the stored property's
    /// address leaves a function, the optimizer puts the object on the stack.
    @inlinable
    var pointer: FuturePointer {
        FuturePointer(Unmanaged<AnyObject>.passUnretained(self))
    }
}

extension Future {
    /// Whether there is a result.
    /// - Complexity: O(1).
    @inlinable
    public var isCompleted: Bool {
        defer { extendLifetime(self) }
        return pointer.isCompleted
    }

    /// The result, if there is one yet. Never blocks.
    /// - Complexity: O(1).
    @inlinable
    public var result: Result<Value, Failure>? {
        isCompleted ? outcome : nil
    }

    /// Whether there is a value. False while there is no result.
    /// - Complexity: O(1).
    @inlinable
    public var isSuccess: Bool {
        if case .success? = result { true } else { false }
    }

    /// Whether there is an error. False while there is no result.
    /// - Complexity: O(1).
    @inlinable
    public var isFailure: Bool {
        if case .failure? = result { true } else { false }
    }
}

extension Future {
    @usableFromInline typealias Outcome = Result<Value, Failure>

    /// The result of a future that has one.
    @inlinable
    var outcome: Outcome {
        defer { extendLifetime(self) }
        let outcome = pointer.outcome(Outcome.self).pointee
        if case .failure = outcome { pointer.markObserved() }
        return outcome
    }

    /// See ``FuturePointer/register(_:needsLane:)``.
    @inlinable
    func register(_ callback: consuming AnyObject, needsLane: Bool = false) {
        pointer.register(callback, needsLane: needsLane)
        extendLifetime(self)
    }

    /// See ``FuturePointer/claim()``.
    @inlinable
    func claim() -> Bool {
        defer { extendLifetime(self) }
        return pointer.claim()
    }

    /// See ``FuturePointer/resolve(_:)``.
    @inlinable
    package func resolve(_ outcome: Result<Value, Failure>) {
        pointer.resolve(outcome)
        extendLifetime(self)
    }

    /// Completes the future, unless it is completed. Returns whether this call did.
    @inlinable
    @discardableResult
    package func resolveOnce(_ outcome: consuming Result<Value, Failure>) -> Bool {
        guard claim() else { return false }
        resolve(outcome)
        return true
    }

    /// Ends this future as one that will never be completed: see ``end(_:because:)``.
    func end(because cause: SwivelError) {
        Self.end(pointer, because: cause)
        extendLifetime(self)
    }

    /// Ends `future` with an error if `Failure` can express `cause`; if not, a wait stops the
    /// program.
    /// - Parameter cause: `nil`: it was released, as a callback, without having run.
    @usableFromInline
    static func end(_ future: FuturePointer, because cause: SwivelError? = nil) {
        let cause = cause ?? future.cause
        if let error = Failure.abandonment(cause) {
            future.resolve(Outcome.failure(error))
        } else {
            future.abandon(cause)
        }
    }
}

extension Future {
    /// Returns the future of one part of the value: `user.name`. `keyPath` is read in the thread
    /// that completes.
    /// - Complexity: As ``map(on:_:)``.
    @inlinable
    public subscript<U: Sendable>(
        dynamicMember keyPath: any KeyPath<Value, U> & Sendable
    ) -> Future<U, Failure> {
        map(on: .immediate) { $0[keyPath: keyPath] }
    }
}

extension Future: CustomStringConvertible {
    /// The types and the result: `Future<Int, Never>(success(1))`.
    /// - Complexity: That of the result's description.
    public var description: String {
        let types = "Future<\(Value.self), \(Failure.self)>"
        return result.map { "\(types)(\($0))" } ?? "\(types)(pending)"
    }
}

/// A future that cannot fail. It starts at once: `Async<Int> { slow() }`.
public typealias Async<Value: Sendable> = Future<Value, Never>
