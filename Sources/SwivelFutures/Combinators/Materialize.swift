// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AmbiguousTrailingClosureOverload
internal import SwivelCore

// A completion handler's call as a future. The handler must be called once: dropped uncalled, the
// future fails as a dropped promise does; called again, the call is ignored. Which form a closure
// means, its handler's parameters say.

/// The future of a call whose handler gets a value or an error. Neither of them stops the program.
@inlinable
public func materialize<V: Sendable, E: Error>(
    _ body: (@escaping @Sendable (V?, E?) -> Void) -> Void
) -> Future<V, E> {
    Future { complete in
        body { complete(outcome($0, $1)) }
    }
}

/// The future of a call whose handler gets a result.
@inlinable
public func materialize<V: Sendable, E: Error>(
    _ body: (@escaping @Sendable (Result<V, E>) -> Void) -> Void
) -> Future<V, E> {
    Future(body)
}

/// The future of a call whose handler gets a value.
@inlinable
public func materialize<V: Sendable>(
    _ body: (@escaping @Sendable (V) -> Void) -> Void
) -> Future<V, Never> {
    Future { complete in
        body { complete(.success($0)) }
    }
}

/// The future of a call whose handler gets an error, or `nil` for success.
@inlinable
public func materialize<E: Error>(
    _ body: (@escaping @Sendable (E?) -> Void) -> Void
) -> Future<Void, E> {
    Future { complete in
        body { complete($0.map { .failure($0) } ?? .success(())) }
    }
}

/// What a handler was given. An error counts before a value.
@usableFromInline
func outcome<V, E: Error>(_ value: V?, _ error: E?) -> Result<V, E> {
    if let error { return .failure(error) }
    guard let value else {
        trap("a completion handler was called with neither a value nor an error")
    }
    return .success(value)
}
