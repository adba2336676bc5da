// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import SwivelCore
internal import SwivelDispatch
internal import SwivelFutures

// Starts an operation with a handler, and returns the future of the handler's argument. The frames
// that hold the handler end here: a wait in one of them would keep alive what it waits for the end of.
//
// A handler that takes one tuple crashes the compiler as a pack of one (swiftlang/swift#87432), so
// that each function exists for a single argument too.

/// Runs the operation right here.
func startHere<O: Sendable>(
    _ operation: (@escaping @Sendable (O) -> Void) -> Void, as name: StaticString
) -> Future<O, Uncalled> {
    let call = CompletionCall<O>(of: name)
    call.start()
    operation { call.finish($0) }
    return call.future
}

/// Runs the operation right here.
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
    let call = CompletionCall<O>(of: name)
    DispatchQueue.main.execute {
        call.start()
        MainActor.assumeIsolated { operation { call.finish($0) } }
    }
    return call.future
}

/// Runs the operation on the main actor.
func startOnMain<each O: Sendable>(
    _ operation:
        @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> Void,
    as name: StaticString
) -> Future<(repeat each O), Uncalled> {
    let call = CompletionCall<(repeat each O)>(of: name)
    DispatchQueue.main.execute {
        call.start()
        MainActor.assumeIsolated {
            operation { (output: repeat each O) in call.finish((repeat each output)) }
        }
    }
    return call.future
}
