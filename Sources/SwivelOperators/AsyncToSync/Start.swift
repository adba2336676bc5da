// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
internal import SwivelDispatch
public import SwivelFutures

// Starts an operation with a handler, and returns the future of the handler's argument. Waits
// happen after these functions have returned: waiting inside one of their frames would retain the
// handler whose release the wait depends on.
//
// A handler that takes one tuple crashes the compiler as a pack of one (swiftlang/swift#87432), so
// each function has a form for a single argument.

/// An operation with a handler for one argument, on its way to its context.
@frozen @usableFromInline
struct OperationStart<Output: Sendable>: FutureStart {
    @usableFromInline let operation: @Sendable (@escaping @Sendable (Output) -> Void) -> Void
    @usableFromInline let name: OperatorName

    @inlinable
    init(
        _ operation: @escaping @Sendable (@escaping @Sendable (Output) -> Void) -> Void,
        as name: OperatorName
    ) {
        self.operation = operation
        self.name = name
    }

    @inlinable
    consuming func start(for future: Future<Output, Uncalled>) {
        let call = CompletionCall(of: name, for: future)
        operation { call.finish($0) }
    }

    @inlinable
    static var neverStarted: Uncalled { .neverStarted }
}

/// An operation with a handler for any number of arguments, on its way to its context.
struct PackedOperationStart<each O: Sendable>: FutureStart {
    let operation: @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void
    let name: OperatorName

    consuming func start(for future: Future<(repeat each O), Uncalled>) {
        let call = CompletionCall(of: name, for: future)
        operation { (output: repeat each O) in call.finish((repeat each output)) }
    }

    static var neverStarted: Uncalled { .neverStarted }
}

/// Runs the operation here.
func startHere<O: Sendable>(
    _ operation: (@escaping @Sendable (O) -> Void) -> Void, as name: OperatorName
) -> Future<O, Uncalled> {
    let call = CompletionCall(of: name, for: Future<O, Uncalled>())
    operation { call.finish($0) }
    return call.future
}

/// Runs the operation here.
func startHere<each O: Sendable>(
    _ operation: (@escaping @Sendable (repeat each O) -> Void) -> Void, as name: OperatorName
) -> Future<(repeat each O), Uncalled> {
    let call = CompletionCall(of: name, for: Future<(repeat each O), Uncalled>())
    operation { (output: repeat each O) in call.finish((repeat each output)) }
    return call.future
}

/// Runs the operation on `context`.
@inlinable
func start<O: Sendable>(
    _ operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void,
    on context: any ExecutionContext, as name: OperatorName
) -> Future<O, Uncalled> {
    Future(on: context, starting: OperationStart(operation, as: name))
}

/// Runs the operation on `context`.
func start<each O: Sendable>(
    _ operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void,
    on context: any ExecutionContext, as name: OperatorName
) -> Future<(repeat each O), Uncalled> {
    Future(on: context, starting: PackedOperationStart(operation: operation, name: name))
}

/// Runs the operation on the main actor.
func startOnMain<O: Sendable>(
    _ operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void,
    as name: OperatorName
) -> Future<O, Uncalled> {
    start({ handler in MainActor.assumeIsolated { operation(handler) } }, on: .main, as: name)
}

/// Runs the operation on the main actor.
func startOnMain<each O: Sendable>(
    _ operation:
        @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void,
    as name: OperatorName
) -> Future<(repeat each O), Uncalled> {
    start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in
            MainActor.assumeIsolated { operation(handler) }
        }, on: .main, as: name)
}
