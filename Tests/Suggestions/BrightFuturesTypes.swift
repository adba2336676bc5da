// SPDX-License-Identifier: Apache-2.0
// BrightFutures' other names. Below each use is what its deprecation says to write.
import BrightFuturesCompat
import Dispatch
import Foundation
import Swivel

private enum Fault: Error, Equatable { case first }

private func contexts(
    _ f: Future<Int, Fault>, _ queue: DispatchQueue, _ operations: OperationQueue,
    _ semaphore: DispatchSemaphore, _ context: any ExecutionContext
) {
    _ = f.map(on: immediateExecutionContext) { $0 }
    // use: _ = f.map(on: .immediate) { $0 }
    _ = f.map(on: ImmediateExecutionContext) { $0 }
    // use: _ = f.map(on: .immediate) { $0 }
    _ = f.map(on: maxStackDepthExecutionContext) { $0 }
    // use: _ = f.map(on: .immediate) { $0 }
    _ = f.map(on: MaxStackDepthExecutionContext) { $0 }
    // use: _ = f.map(on: .immediate) { $0 }
    _ = f.map(on: immediateOnMainExecutionContext) { $0 }
    // use: _ = f.map(on: .immediateOnMain) { $0 }
    _ = f.map(on: ImmediateOnMainExecutionContext) { $0 }
    // use: _ = f.map(on: .immediateOnMain) { $0 }
    let model: ThreadingModel = { .immediate }
    // use: let model = ImmediateContext.immediate
    _ = DefaultThreadingModel()
    // use: _ = defaultContext()
    _ = f.map(on: queue.context) { $0 }
    // use: _ = f.map(on: queue) { $0 }
    _ = f.map(on: operations.context) { $0 }
    // use: _ = f.map(on: operations) { $0 }
    _ = f.map(on: semaphore.context) { $0 }
    // use: _ = f.map(on: SemaphoreContext(semaphore)) { $0 }
    context { print(1) }
    // use: context.execute { print(1) }
    queue { print(1) }
    // use: queue.execute { print(1) }
    _ = model
}

private func results(_ result: Result<Int, Fault>, _ inner: Result<Future<Int, Fault>, Fault>) {
    let good = Result<Int, Fault>(value: 1)
    // use: let good = Result<Int, Fault>.success(1)
    let bad = Result<Int, Fault>(error: .first)
    // use: let bad = Result<Int, Fault>.failure(.first)
    let number = result.analysis(ifSuccess: { $0 }, ifFailure: { _ in 0 })
    // use: let number = switch result { case .success(let value): value; case .failure: 0 }
    let flat = Result<Result<Int, Fault>, Fault>.success(result).flatten()
    // use: let flat = Result<Result<Int, Fault>, Fault>.success(result).flatMap { $0 }
    let future = inner.flatten()
    // use: let future = inner.flatMap { $0 }
    let any: any ResultProtocol = result
    // use: let any: Result<Int, Fault> = result
    _ = (good, bad, number, flat, future, any)
}

private func errors() {
    let error: BrightFuturesError<Fault> = .timedOut
    // use: let error: FutureError<Fault> = .timedOut
    let external: FutureError<Fault> = .external(.first)
    // use: let external: FutureError<Fault> = .failed(.first)
    let made = FutureError(external: Fault.first)
    // use: let made = FutureError.failed(Fault.first)
    let invalid: FutureError<Fault> = .invalidationTokenInvalidated
    // use: let invalid: FutureError<Fault> = .invalidated
    let state: FutureError<Fault> = .illegalState
    // use: let state: FutureError<Fault> = .abandoned
    let value: NoValue? = nil
    // use: let value: Never? = nil
    let failure: NoError? = nil
    // use: let failure: Never? = nil
    _ = (error, external, made, invalid, state, value, failure)
}

private func promotion(_ search: Future<Int, FutureError<Never>>) {
    let promoted: Future<Int, FutureError<Fault>> = search.promoteError()
    // use: let promoted: Future<Int, FutureError<Fault>> = search.mapError { _ in .timedOut }
    _ = promoted
}

private func tokens(_ f: Future<Int, Fault>, _ token: InvalidationToken) {
    let kept: any InvalidationTokenType = token
    // use: let kept: InvalidationToken = token
    let manual: any ManualInvalidationTokenType = token
    // use: let manual: InvalidationToken = token
    _ = f.map(on: token.validContext(.background)) { $0 }
    // use: _ = f.map(on: token.context(.background)) { $0 }
    _ = f.map(on: token.validContext) { $0 }
    // use: _ = f.map(on: token.context()) { $0 }
    _ = (kept, manual)
}
