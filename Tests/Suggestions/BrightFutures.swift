// SPDX-License-Identifier: Apache-2.0
// BrightFutures' names of futures. Below each use is what its deprecation says to write.
import BrightFuturesCompat
import Dispatch
import Foundation
import Swivel

private enum Fault: Error, Equatable { case first }

private func making(
    _ f: Future<Int, Fault>, _ queue: DispatchQueue, _ soon: DispatchTimeInterval
) {
    _ = Future<Int, Fault>(value: 1, delay: soon)
    // use: _ = Future<Int, Fault>(value: 1, after: .seconds(1), on: .background)
    _ = Future<Int, Fault>(error: .first, delay: soon)
    // use: _ = Future<Int, Fault>(error: .first, after: .seconds(1), on: .background)
    _ = Future<Int, Fault>(result: .success(1), delay: soon)
    // use: _ = Future<Int, Fault>(result: .success(1), after: .seconds(1), on: .background)
    _ = Future<Int, Fault>(other: f)
    // use: _ = f
    _ = Future<Int, Fault>(resolver: { complete in complete(.success(1)) })
    // use: _ = Future<Int, Fault>({ complete in complete(.success(1)) })
    _ = Async<Int>(result: 1)
    // use: _ = Async<Int>(value: 1)
    _ = Async<Int>(result: 1, delay: soon)
    // use: _ = Async<Int>(value: 1, after: .seconds(1), on: .background)
    _ = Async<Int>(resolver: { complete in complete(1) })
    // use: _ = Async<Int> { complete in complete(.success(1)) }
    _ = f.delay(soon)
    // use: _ = f.delay(.seconds(1))
    _ = f.delay(queue, interval: soon)
    // use: _ = f.delay(.seconds(1), on: queue)
    _ = queue.asyncValue { 1 }
    // use: _ = queue.submit { 1 }
    _ = queue.asyncResult { Result<Int, Fault>.success(1) }
    // use: _ = queue.submit { Result<Int, Fault>.success(1) }
    _ = queue.asyncValueAfter(.now() + 1) { 1 }
    // use: _ = queue.submit(after: .seconds(1)) { 1 }
}

private func reading(_ f: Future<Int, Fault>) {
    _ = f.forced()
    // use: _ = try? f.await()
    _ = f.forced(.now() + 1)
    // use: _ = try? f.await(timeout: .seconds(1))
    print(f.debugDescription)
    // use: print(f.description)
    if let error = f.error { print(error) }
    // use: switch f.result { case .failure(let error): print(error); default: break }
}

private func completing(_ p: Promise<Int, Fault>, _ f: Future<Int, Fault>) {
    p.completeWith(f)
    // use: p.complete(with: f)
    p.success(1)
    // use: p.succeed(1)
    p.failure(.first)
    // use: p.fail(.first)
    p.trySuccess(1)
    // use: p.trySucceed(1)
    p.tryFailure(.first)
    // use: p.tryFail(.first)
}

private func callbacks(
    _ f: Future<Int, Fault>, _ queue: DispatchQueue,
    _ note: @escaping @Sendable (Int) -> Void, _ tell: @escaping @Sendable (Fault) -> Void,
    _ end: @escaping @Sendable (Result<Int, Fault>) -> Void
) {
    f.onComplete(queue) { print($0) }
    // use: f.onComplete(on: queue) { print($0) }
    f.onComplete(callback: end)
    // use: f.onComplete(end)
    f.onComplete(queue, callback: end)
    // use: f.onComplete(on: queue, end)
    f.onSuccess(queue) { print($0) }
    // use: f.onSuccess(on: queue) { print($0) }
    f.onSuccess(callback: note)
    // use: f.onSuccess(note)
    f.onSuccess(queue, callback: note)
    // use: f.onSuccess(on: queue, note)
    f.onFailure(queue) { print($0) }
    // use: f.onFailure(on: queue) { print($0) }
    f.onFailure(callback: tell)
    // use: f.onFailure(tell)
    f.onFailure(queue, callback: tell)
    // use: f.onFailure(on: queue, tell)
    _ = f.andThen(context: queue) { print($0) }
    // use: _ = f.andThen(on: queue) { print($0) }
    _ = f.andThen(callback: end)
    // use: _ = f.andThen(end)
    _ = f.andThen(context: queue, callback: end)
    // use: _ = f.andThen(on: queue, end)
    let complete: Future<Int, Fault>.CompletionCallback = end
    // use: let complete: @Sendable (Result<Int, Fault>) -> Void = end
    let success: Future<Int, Fault>.SuccessCallback = note
    // use: let success: @Sendable (Int) -> Void = note
    let failure: Future<Int, Fault>.FailureCallback = tell
    // use: let failure: @Sendable (Fault) -> Void = tell
    _ = (complete, success, failure)
}

private func combinators(
    _ f: Future<Int, Fault>, _ queue: DispatchQueue, _ add: @escaping @Sendable (Int) -> Int,
    _ other: @escaping @Sendable (Fault) -> Int
) {
    _ = f.map(queue) { $0 + 1 }
    // use: _ = f.map(on: queue) { $0 + 1 }
    _ = f.map(queue, f: add)
    // use: _ = f.map(on: queue, add)
    _ = f.flatMap(queue) { Future<Int, Fault>(value: $0) }
    // use: _ = f.flatMap(on: queue) { Future<Int, Fault>(value: $0) }
    _ = f.flatMap(queue) { Result<Int, Fault>.success($0) }
    // use: _ = f.flatMap(on: queue) { Result<Int, Fault>.success($0) }
    _ = f.mapError(queue) { $0 }
    // use: _ = f.mapError(on: queue) { $0 }
    _ = f.recover(context: queue) { _ in 1 }
    // use: _ = f.recover(on: queue) { _ in 1 }
    _ = f.recover(context: queue, task: other)
    // use: _ = f.recover(on: queue, other)
    _ = f.recover(task: other)
    // use: _ = f.recover(other)
    _ = f.recoverWith { _ in Future<Int, Fault>(value: 1) }
    // use: _ = f.recover { _ in Future<Int, Fault>(value: 1) }
    _ = f.recoverWith(context: queue) { _ in Future<Int, Fault>(value: 1) }
    // use: _ = f.recover(on: queue) { _ in Future<Int, Fault>(value: 1) }
    let cast: Future<any Sendable, Fault> = f.forceType()
    // use: let cast = f.map(on: .immediate) { $0 as any Sendable }
    _ = cast
}

private func sequences(
    _ futures: [Future<Int, Fault>], _ queue: DispatchQueue,
    _ add: @escaping @Sendable (Int, Int) -> Int, _ isLarge: @escaping @Sendable (Int) -> Bool,
    _ make: (Int) -> Future<Int, Fault>
) {
    _ = [1, 2].traverse(queue, f: make)
    // use: _ = [1, 2].traverse(make)
    _ = [1, 2].traverse(queue) { Future<Int, Fault>(value: $0) }
    // use: _ = [1, 2].traverse { Future<Int, Fault>(value: $0) }
    _ = futures.fold(queue, zero: 0, f: add)
    // use: _ = futures.fold(on: queue, 0, add)
    _ = futures.fold(queue, zero: 0) { $0 + $1 }
    // use: _ = futures.fold(on: queue, 0) { $0 + $1 }
    _ = futures.fold(0, f: add)
    // use: _ = futures.fold(0, add)
    _ = futures.find(queue, p: isLarge)
    // use: _ = futures.find(on: queue, isLarge)
    _ = futures.find(queue) { $0 > 1 }
    // use: _ = futures.find(on: queue) { $0 > 1 }
}
