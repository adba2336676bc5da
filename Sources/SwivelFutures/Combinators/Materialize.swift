// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AmbiguousTrailingClosureOverload
internal import SwivelCore

// A call with a completion handler as a future. The handler's parameters select the overload.

/// The future of a call whose handler gets a value or an error. Called with neither, it traps.
///
/// The handler must be called once: released uncalled, it fails the future as a dropped promise
/// does; a second call is ignored.
///
/// **Thread:** any. `body` runs inside this call; its handler may be called on any thread.
/// - Parameters:
///   - body: Starts the operation, and passes the handler on.
///   - file: The call site with `line`, for the message of a trap.
/// - Complexity: As `Future.init(_:)` of a resolver.
@inlinable
@preconcurrency
public func materialize<V: Sendable, E: Error>(
    _ body: (@escaping @Sendable (V?, E?) -> Void) -> Void,
    file: StaticString = #fileID, line: UInt = #line
) -> Future<V, E> {
    Future { complete in body { complete(outcome($0, $1, file: file, line: line)) } }
}

/// The future of a call whose handler gets a result. `body` is as for a value or an error.
///
/// **Thread:** any; `body` runs inside this call.
/// - Complexity: As `Future.init(_:)` of a resolver.
@inlinable
@preconcurrency
public func materialize<V: Sendable, E: Error>(
    _ body: (@escaping @Sendable (Result<V, E>) -> Void) -> Void
) -> Future<V, E> {
    Future(body)
}

/// The future of a call whose handler gets a value. `body` is as for a value or an error.
///
/// **Thread:** any; `body` runs inside this call.
/// - Complexity: As `Future.init(_:)` of a resolver.
@inlinable
@preconcurrency
public func materialize<V: Sendable>(
    _ body: (@escaping @Sendable (V) -> Void) -> Void
) -> Future<V, Never> {
    Future { complete in body { complete(.success($0)) } }
}

/// The future of a call whose handler gets an error, or `nil` for success.
///
/// **Thread:** any; `body` runs inside this call.
/// - Complexity: As `Future.init(_:)` of a resolver.
@inlinable
@preconcurrency
public func materialize<E: Error>(
    _ body: (@escaping @Sendable (E?) -> Void) -> Void
) -> Future<Void, E> {
    Future { complete in body { complete($0.map { .failure($0) } ?? .success(())) } }
}

/// The result that a handler was called with. An error precedes a value.
@usableFromInline
func outcome<V, E: Error>(
    _ value: V?, _ error: E?, file: StaticString, line: UInt
) -> Result<V, E> {
    if let error { return .failure(error) }
    if let value { return .success(value) }
    trap(
        """
        a completion handler was called with neither a value nor an error; let the operation give \
        one of them, or a handler that takes a Result
        """, file: file, line: line)
}
