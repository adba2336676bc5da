// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AmbiguousTrailingClosureOverload
internal import Dispatch
internal import SwivelCore
internal import SwivelDispatch

// An operation that is an optional call, `<<~{ self?.load($0) }`, calls nothing where the object is
// gone, and then its handler is never called. These overloads, which only such a closure selects,
// make that a warning where it is written. Otherwise they are the plain forms: the handler of a call
// that did not happen is released, and that traps.

/// What an optional call returns: `Void?`.
///
/// A protocol and not the type itself, because the compiler would find a closure of several
/// statements ambiguous between that and the plain form.
public protocol OptionalCallResult: SendableMetatype {}

extension Optional: OptionalCallResult where Wrapped == Void {}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<- <O: Sendable, R: OptionalCallResult>(

    operation: (@escaping @Sendable (O) -> Void) -> R
) -> O {
    startHere({ (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, as: "<<-")
        .output(of: "<<-", target: nil)
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<- <each O: Sendable, R: OptionalCallResult>(

    operation: (@escaping @Sendable (repeat each O) -> Void) -> R
) -> (repeat each O) {
    startHere(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        as: "<<-"
    )
    .output(of: "<<-", target: nil)
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<- <O: Sendable, R: OptionalCallResult>(

    operation: (@escaping @Sendable (O) -> Void) -> R
) async -> O {
    await startHere(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, as: "<<-"
    )
    .output(of: "<<-")
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<- <each O: Sendable, R: OptionalCallResult>(

    operation: (@escaping @Sendable (repeat each O) -> Void) -> R
) async -> (repeat each O) {
    await startHere(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        as: "<<-"
    )
    .output(of: "<<-")
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<~ <O: Sendable, R: OptionalCallResult>(

    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> R
) -> O {
    start(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, on: .background,
        as: "<<~"
    )
    .output(of: "<<~", target: .background)
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<~ <each O: Sendable, R: OptionalCallResult>(

    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) -> (repeat each O) {
    start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        on: .background, as: "<<~"
    )
    .output(of: "<<~", target: .background)
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <O: Sendable, R: OptionalCallResult>(

    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> R
) async -> O {
    await start(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, on: .background,
        as: "<<~"
    )
    .output(of: "<<~")
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<~ <each O: Sendable, R: OptionalCallResult>(

    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) async -> (repeat each O) {
    await start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        on: .background, as: "<<~"
    )
    .output(of: "<<~")
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<+ <O: Sendable, R: OptionalCallResult>(

    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> R
) -> O {
    startOnMain({ (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, as: "<<+")
        .output(of: "<<+", target: .main)
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public prefix func <<+ <each O: Sendable, R: OptionalCallResult>(

    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) -> (repeat each O) {
    startOnMain(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        as: "<<+"
    )
    .output(of: "<<+", target: .main)
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <O: Sendable, R: OptionalCallResult>(

    operation: @escaping @MainActor @Sendable (@escaping @Sendable (O) -> Void) -> R
) async -> O {
    await startOnMain(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) }, as: "<<+"
    )
    .output(of: "<<+")
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public prefix func <<+ <each O: Sendable, R: OptionalCallResult>(

    operation: @escaping @MainActor @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) async -> (repeat each O) {
    await startOnMain(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        as: "<<+"
    )
    .output(of: "<<+")
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public func ~~~ <O: Sendable, R: OptionalCallResult>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> R
) -> O {
    start(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) },
        on: target.context, as: "~~~"
    )
    .output(of: "~~~", target: target.context)
}

/// See the form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@available(*, noasync, message: "blocks its thread; write 'await' before the operator")
@preconcurrency
public func ~~~ <each O: Sendable, R: OptionalCallResult>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) -> (repeat each O) {
    start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        on: target.context, as: "~~~"
    )
    .output(of: "~~~", target: target.context)
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public func ~~~ <O: Sendable, R: OptionalCallResult>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (O) -> Void) -> R
) async -> O {
    await start(
        { (handler: @escaping @Sendable (O) -> Void) in _ = operation(handler) },
        on: target.context, as: "~~~"
    )
    .output(of: "~~~")
}

/// See the suspending form for operations that are no optional calls.
@available(*, deprecated, message: "an optional call may skip its handler; unwrap it before")
@preconcurrency
nonisolated(nonsending) public func ~~~ <each O: Sendable, R: OptionalCallResult>(
    target: RouteTarget,
    operation: @escaping @Sendable (@escaping @Sendable (repeat each O) -> Void) -> R
) async -> (repeat each O) {
    await start(
        { (handler: @escaping @Sendable (repeat each O) -> Void) in _ = operation(handler) },
        on: target.context, as: "~~~"
    )
    .output(of: "~~~")
}
