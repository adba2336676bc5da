// SPDX-License-Identifier: Apache-2.0
public import SwivelCore
public import SwivelFutures
public import Synchronization

/// The one call of the completion handler that an operator gives to an operation.
///
/// The handler owns this object, and nothing else does for long, so that it ends with the handler.
/// A handler that is released uncalled fails the future. The waiting side then stops the program on
/// its own stack, which shows where the operator was called.
///
/// It is made where the operation runs, and specialized in the client that has the operator.
@usableFromInline
final class CompletionCall<Output: Sendable>: Sendable {
    @usableFromInline let future: Future<Output, Uncalled>
    @usableFromInline let name: OperatorName
    /// Whether the handler was called. Not kept in the future, on which the waiting thread spins:
    /// each claim there would wait for that thread.
    @usableFromInline let isCalled = Atomic(false)

    @inlinable
    init(of name: OperatorName, for future: Future<Output, Uncalled>) {
        self.name = name
        self.future = future
    }

    /// Passes on the handler's argument. A second call traps.
    @inlinable
    func finish(_ output: Output) {
        // Relaxed: it decides who completes, and publishes nothing.
        if isCalled.exchange(true, ordering: .relaxed) { name.wasCalledTwice() }
        future.resolve(.success(output))
    }

    deinit {
        if !isCalled.load(ordering: .relaxed) { end() }
    }

    /// Apart from `deinit`, which is not specialized: the error's type would be looked up in each.
    @inline(never)
    private func end() {
        future.resolve(.failure(.released))
    }
}

/// The operators that wait for a completion handler.
@usableFromInline
enum OperatorName: UInt8, Sendable {
    case here, background, main, context

    /// As it is written.
    @usableFromInline var text: StaticString {
        switch self {
        case .here: "<<-"
        case .background: "<<~"
        case .main: "<<+"
        case .context: "~~~"
        }
    }

    /// For the messages of a wait: an operator has no parameters for the line of its call.
    @usableFromInline var waitText: StaticString {
        switch self {
        case .here: "<<- (its line is in the backtrace)"
        case .background: "<<~ (its line is in the backtrace)"
        case .main: "<<+ (its line is in the backtrace)"
        case .context: "~~~ (its line is in the backtrace)"
        }
    }

    @usableFromInline
    func wasCalledTwice() -> Never {
        trap(
            """
            the completion handler of '\(text)' was called more than once; let the operation call it \
            exactly once, on every path (the backtrace shows the second call)
            """)
    }
}

/// Why a completion handler will never be called.
@usableFromInline
enum Uncalled: Error {
    /// The context dropped the operation.
    case neverStarted
    /// The operation dropped the handler.
    case released

    /// Stops the program: the operator has no value to return.
    @usableFromInline
    func stop(_ name: OperatorName) -> Never {
        switch self {
        case .released:
            trap(
                """
                the completion handler of '\(name.text)' was released without being called; let the \
                operation call it exactly once, on every path, also if an object is gone or an \
                argument is wrong (the backtrace shows the operator)
                """)
        case .neverStarted:
            trap(
                """
                the operation of '\(name.text)' was released without being run by its context, which \
                takes nothing any more or drops work; use a context that lives as long as its users \
                (the backtrace shows the operator)
                """)
        }
    }
}

extension Future where Failure == Uncalled {
    /// Blocks until the handler was called.
    @inlinable
    @available(*, noasync)
    func output(of name: OperatorName, target: (any ExecutionContext)?) -> Value {
        do throws(Uncalled) {
            return try self.await(target: target, operation: name.waitText)
        } catch {
            error.stop(name)
        }
    }

    /// Suspends until the handler was called.
    nonisolated(nonsending) func output(of name: OperatorName) async -> Value {
        do throws(Uncalled) {
            return try await get()
        } catch {
            error.stop(name)
        }
    }
}
