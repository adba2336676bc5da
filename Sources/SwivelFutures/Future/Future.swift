// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// A value that will be there later, or the error in its place.
///
/// A future is completed once, by its ``Promise``, by the closure that it was made with, or by the
/// future that it derives from. Callbacks of one future never overlap and run in registration order,
/// each on its own context; those on `.immediate` run in the thread that completes. No callback runs
/// inside the call that registers it, except on `.immediate`.
///
/// Inside an immediate callback, the immediate callbacks of what it completes run after it has
/// returned: a chain of any length needs no stack. A callback that waits, with
/// ``await(file:line:)`` or in another of Swivel's ways, lets the next one start, which it may be
/// waiting for.
///
/// ```swift
/// let user = login(name).flatMap { fetch($0) }.timeout(.seconds(2))
/// user.onSuccess(on: loop) { print($0) }
/// ```
@dynamicMemberLookup
public final class Future<Value: Sendable, Failure: Error>: AnyFuture, @unchecked Sendable {
    // because all its storage is AnyFuture's.

    /// A future that never completes.
    ///
    /// - Complexity: O(1), one allocation.
    @inlinable
    public override init() {
        super.init()
    }

    /// The callback of another future, which runs there.
    @inlinable
    override init(at home: Home) {
        super.init(at: home)
    }

    override func canFail(because cause: AbandonmentCause) -> Bool {
        Failure.abandonment(cause) != nil
    }
}

extension Future {
    /// The result, if there is one yet.
    ///
    /// **Thread:** any. Never blocks.
    /// - Complexity: O(1).
    @inlinable
    public var result: Result<Value, Failure>? {
        isCompleted ? outcome : nil
    }

    /// Whether there is a value. False while there is no result.
    @inlinable
    public var isSuccess: Bool {
        if case .success? = result { true } else { false }
    }

    /// Whether there is an error. False while there is no result.
    @inlinable
    public var isFailure: Bool {
        if case .failure? = result { true } else { false }
    }
}

extension Future {
    @usableFromInline typealias Outcome = Result<Value, Failure>

    /// The result. Only once there is one.
    @inlinable
    var outcome: Outcome {
        withExtendedLifetime(self) {
            let outcome = ref.outcome(Outcome.self).pointee
            if case .failure = outcome { ref.noteLook() }
            return outcome
        }
    }

    /// Writes the result and has the callbacks run. The right to complete is the caller's.
    @inlinable
    func resolve(_ outcome: Outcome) {
        withExtendedLifetime(self) { ref.resolve(outcome) }
    }

    /// Ends this future as one that nobody will complete: with the error that says so if `Failure` can
    /// hold it; else those who wait are stopped.
    func end(because cause: AbandonmentCause) {
        withExtendedLifetime(self) { Self.end(ref, because: cause) }
    }

    private static func end(_ future: FutureRef, because cause: AbandonmentCause) {
        if let error = Failure.abandonment(cause) {
            future.resolve(Outcome.failure(error))
        } else {
            future.abandon(cause)
        }
    }

    /// Ends `future` as a callback that was released without having run.
    @usableFromInline
    static func neverRan(_ future: FutureRef) {
        end(future, because: future.cause)
    }
}

extension Future {
    /// The future of one part of the value: `user.name`.
    @inlinable
    public subscript<U: Sendable>(
        dynamicMember keyPath: any KeyPath<Value, U> & Sendable
    ) -> Future<U, Failure> {
        map(on: .immediate) { $0[keyPath: keyPath] }
    }
}

extension Future: CustomStringConvertible {
    /// The types and the result: `Future<Int, Never>(success(1))`.
    public var description: String {
        let types = "Future<\(Value.self), \(Failure.self)>"
        return result.map { "\(types)(\($0))" } ?? "\(types)(pending)"
    }
}

/// A future that cannot fail. It starts at once: `Async<Int> { slow() }`.
public typealias Async<Value: Sendable> = Future<Value, Never>
