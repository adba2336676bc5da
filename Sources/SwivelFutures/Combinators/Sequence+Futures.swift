// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// Many futures as one. The first failing element in *list* order decides, whichever failed first in
// time; elements are visited in order, each as soon as it and all before it have completed.
extension Sequence {
    /// All values, in order.
    ///
    /// An empty sequence gives an empty array at once.
    /// - Complexity: O(n).
    public func sequence<V, E>() -> Future<[V], E> where Element == Future<V, E> {
        let futures = Array(self)
        var values: [V] = []
        values.reserveCapacity(futures.count)
        return walk(futures) { index, pledge in
            guard index < futures.count else {
                pledge.complete(.success(values))
                return false
            }
            switch futures[index].outcome {
            case .success(let value):
                values.append(value)
                return true
            case .failure(let error):
                pledge.complete(.failure(error))
                return false
            }
        }
    }

    /// The values of the futures that `transform` makes of the elements, in order.
    ///
    /// **Thread:** `transform` runs right here, for every element.
    /// - Complexity: O(n).
    @preconcurrency
    public func traverse<V, E>(
        _ transform: (Element) -> Future<V, E>
    ) -> Future<[V], E> {
        map(transform).sequence()
    }

    /// What `combine` makes of all values, one after the other.
    ///
    /// **Thread:** `combine` runs on `context`.
    /// - Complexity: O(n).
    @preconcurrency
    public func fold<R: Sendable, V, E>(
        on context: any ExecutionContext = .background, _ zero: R,
        _ combine: @escaping @Sendable (R, V) -> R
    ) -> Future<R, E> where Element == Future<V, E> {
        let futures = Array(self)
        var folded = zero
        return walk(futures, on: context) { index, pledge in
            guard index < futures.count else {
                pledge.complete(.success(folded))
                return false
            }
            switch futures[index].outcome {
            case .success(let value):
                folded = combine(folded, value)
                return true
            case .failure(let error):
                pledge.complete(.failure(error))
                return false
            }
        }
    }

    /// The first value, in list order, that `predicate` accepts, as soon as all before it are known.
    ///
    /// An error before it fails the search; no match is ``FutureError/noSuchElement``.
    /// **Thread:** `predicate` runs on `context`, for no element after the match.
    /// - Complexity: O(n).
    @preconcurrency
    public func find<V, E>(
        on context: any ExecutionContext = .background,
        _ predicate: @escaping @Sendable (V) -> Bool
    ) -> Future<V, FutureError<E>> where Element == Future<V, E> {
        let futures = Array(self)
        return walk(futures, on: context) { index, pledge in
            guard index < futures.count else {
                pledge.complete(.failure(.noSuchElement))
                return false
            }
            switch futures[index].outcome {
            case .success(let value):
                guard predicate(value) else { return true }
                pledge.complete(.success(value))
            case .failure(let error):
                pledge.complete(.failure(.failed(error)))
            }
            return false
        }
    }

    /// The result of the future that completes first, a value or an error.
    ///
    /// An empty sequence stops the program: nothing would ever complete it.
    /// - Complexity: O(n).
    public func firstCompleted<V, E>() -> Future<V, E> where Element == Future<V, E> {
        let futures = Array(self)
        check(!futures.isEmpty, "firstCompleted() of no futures would never complete")
        let first = Future<V, E>()
        let pledge = Pledge(first)
        for future in futures {
            future.whenOver { if case .result(let result) = $0 { pledge.complete(result) } }
        }
        return first
    }

    /// All values, in order, or the first error.
    public func sequence<V, E>() -> Result<[V], E> where Element == Result<V, E> {
        var values: [V] = []
        for result in self {
            switch result {
            case .success(let value): values.append(value)
            case .failure(let error): return .failure(error)
            }
        }
        return .success(values)
    }
}

/// The future that a walk along `futures` completes.
func walk<V: Sendable, E: Error>(
    _ futures: [AnyFuture], on context: (any ExecutionContext)? = nil,
    visit: @escaping (Int, Pledge<V, E>) -> Bool
) -> Future<V, E> {
    let future = Future<V, E>()
    let pledge = Pledge(future)
    Walk(
        futures, on: context, visit: { visit($0, pledge) }, end: { pledge.end(because: $0) }
    ).wait()
    return future
}

/// All values, of whatever types. The first failing one in list order decides.
///
/// - Complexity: O(n).
public func all<each V: Sendable, E: Error>(
    _ futures: repeat Future<each V, E>
) -> Future<(repeat each V), E> {
    var list: [AnyFuture] = []
    var errors: [() -> E?] = []
    for future in repeat each futures {
        list.append(future)
        errors.append { future.result?.error }
    }
    let count = list.count
    let failure = errors
    let values = { (repeat (each futures).outcome.success) }
    return walk(list) { index, pledge in
        guard index < count else {
            pledge.complete(.success(values()))
            return false
        }
        guard let error = failure[index]() else { return true }
        pledge.complete(.failure(error))
        return false
    }
}
