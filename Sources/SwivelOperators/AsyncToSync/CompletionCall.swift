// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures
internal import Synchronization

/// The one call of the completion handler that an operator gives to an operation.
///
/// The handler owns this object, and nothing else does for long, so that it ends with the handler. A
/// handler that is released uncalled fails the future. The waiting side then stops the program on its
/// own stack, which shows where the operator was called.
final class CompletionCall<Output: Sendable>: Sendable {
    let future: Future<Output, Uncalled>
    private let promise = Promise<Output, Uncalled>()
    private let hasStarted = Atomic(false)
    private let name: StaticString

    /// - Parameter name: The operator.
    init(of name: StaticString) {
        self.name = name
        future = promise.future
    }

    /// Notes that the operation begins, on its context.
    func start() {
        hasStarted.store(true, ordering: .releasing)
    }

    /// Passes on the handler's argument. A second call traps.
    func finish(_ output: Output) {
        check(
            promise.trySucceed(output),
            """
            the completion handler of '\(name)' was called more than once; let the operation call it \
            exactly once, on every path
            """)
    }

    deinit {
        promise.tryFail(hasStarted.load(ordering: .acquiring) ? .released : .neverStarted)
    }
}

/// Why a completion handler will never be called.
enum Uncalled: Error {
    /// The context dropped the operation.
    case neverStarted
    /// The operation dropped the handler.
    case released

    /// Stops the program: the operator has no value to return.
    func stop(_ name: StaticString) -> Never {
        switch self {
        case .released:
            trap(
                """
                the completion handler of '\(name)' was released without being called; let the \
                operation call it exactly once, on every path, also where an object is gone or an \
                argument is wrong
                """)
        case .neverStarted:
            trap(
                """
                the operation of '\(name)' was released without being run by its context, which \
                takes nothing any more or drops work; use a context that lives as long as its users
                """)
        }
    }
}

extension Future where Failure == Uncalled {
    /// Blocks until the handler was called.
    @available(*, noasync)
    func output(of name: StaticString, target: (any ExecutionContext)?) -> Value {
        do throws(Uncalled) {
            return try self.await(target: target, operation: name)
        } catch {
            error.stop(name)
        }
    }

    /// Suspends until the handler was called.
    nonisolated(nonsending) func output(of name: StaticString) async -> Value {
        do throws(Uncalled) {
            return try await get()
        } catch {
            error.stop(name)
        }
    }
}
