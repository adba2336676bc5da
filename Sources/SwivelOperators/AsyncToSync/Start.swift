// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelDispatch
internal import SwivelFutures

// Starts an operation with a handler, and returns the future of the handler's argument. Waits happen
// after these functions have returned: waiting inside one of their frames would retain the handler
// whose release the wait depends on.
//
// A handler that takes one tuple crashes the compiler as a pack of one (swiftlang/swift#87432), so
// each function has a form for a single argument.

/// Runs the operation here.
func startHere<O: Sendable>(
    _ operation: (@escaping @Sendable (O) -> Void) -> Void, as name: StaticString
) -> Future<O, Uncalled> {
    let call = CompletionCall<O>(of: name)
    call.start()
    operation { call.finish($0) }
    return call.future
}

/// Runs the operation here.
func startHere<each O: Sendable>(
    _ operation: (@escaping @Sendable (repeat each O) -> Void) -> Void, as name: StaticString
) -> Future<(repeat each O), Uncalled> {
    let call = CompletionCall<(repeat each O)>(of: name)
    call.start()
    operation { (output: repeat each O) in call.finish((repeat each output)) }
    return call.future
}

/// Runs the operation on `context`.
func start<O: Sendable>(
    _ operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> Void,
    on context: any ExecutionContext, as name: StaticString
) -> Future<O, Uncalled> {
    let call = CompletionCall<O>(of: name)
    context.executeBeyondLimit {
        call.start()
        operation { call.finish($0) }
    }
    return call.future
}

/// Runs the operation on `context`.
func start<each O: Sendable>(
    _ operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void,
    on context: any ExecutionContext, as name: StaticString
) -> Future<(repeat each O), Uncalled> {
    let call = CompletionCall<(repeat each O)>(of: name)
    context.executeBeyondLimit {
        call.start()
        operation { (output: repeat each O) in call.finish((repeat each output)) }
    }
    return call.future
}

/// Runs the operation on the main actor.
func startOnMain<O: Sendable>(
    _ operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> Void,
    as name: StaticString
) -> Future<O, Uncalled> {
    start({ handler in MainActor.assumeIsolated { operation(handler) } }, on: .main, as: name)
}

/// Runs the operation on the main actor.
func startOnMain<each O: Sendable>(
    _ operation:
        @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void,
    as name: StaticString
) -> Future<(repeat each O), Uncalled> {
    start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in
            MainActor.assumeIsolated { operation(handler) }
        }, on: .main, as: name)
}
