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
        let futures = map { $0 as AnyFuture? }
        var values: [V] = []
        values.reserveCapacity(futures.count)
        return walk(futures) { (result: Result<V, E>?, pledge) in
            switch result {
            case nil:
                pledge.complete(.success(values))
                return false
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
        var folded = zero
        return walk(map { $0 as AnyFuture? }, on: context) { (result: Result<V, E>?, pledge) in
            switch result {
            case nil:
                pledge.complete(.success(folded))
                return false
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
        walk(map { $0 as AnyFuture? }, on: context) { (result: Result<V, E>?, pledge) in
            switch result {
            case nil:
                pledge.complete(.failure(.noSuchElement))
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
    public func firstCompleted<V, E>(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<V, E> where Element == Future<V, E> {
        let futures = Array(self)
        check(
            !futures.isEmpty, "firstCompleted() of no futures would never complete", file: file,
            line: line)
        let first = Future<V, E>()
        let pledge = Pledge(first)
        let visits = Visits()
        for future in futures where !first.isCompleted {
            visits.add(
                future.whenOver {
                    guard case .result(let result) = $0 else { return }
                    visits.end()
                    pledge.complete(result)
                })
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

/// The future that a walk along `futures`, all of them a `Future<V, E>`, completes.
private func walk<V: Sendable, E: Error, U: Sendable, F: Error>(
    _ futures: [AnyFuture?], on context: (any ExecutionContext)? = nil,
    visit: @escaping (Result<V, E>?, Pledge<U, F>) -> Bool
) -> Future<U, F> {
    walk(futures, on: context) { future, pledge in
        visit(future.map { unsafeDowncast($0, to: Future<V, E>.self).outcome }, pledge)
    }
}

/// The future that a walk along `futures` completes.
private func walk<U: Sendable, F: Error>(
    _ futures: [AnyFuture?], on context: (any ExecutionContext)? = nil,
    visit: @escaping (AnyFuture?, Pledge<U, F>) -> Bool
) -> Future<U, F> {
    let future = Future<U, F>()
    let pledge = Pledge(future)
    Walk(
        futures, on: context, for: future, visit: { visit($0, pledge) },
        end: { pledge.end(because: $0) }
    ).wait()
    return future
}

/// All values, of whatever types. The first failing one in list order decides.
///
/// - Complexity: O(n).
public func all<each V: Sendable, E: Error>(
    _ futures: repeat Future<each V, E>
) -> Future<(repeat each V), E> {
    var list: [AnyFuture?] = []
    var errors: [(AnyFuture) -> E?] = []
    for future in repeat each futures {
        list.append(future)
        errors.append(errorAccess(like: future))
    }
    let errorOf = errors
    var completed: [AnyFuture] = []
    return walk(list) { (future: AnyFuture?, pledge) in
        guard let future else {
            var rest = completed[...]
            pledge.complete(.success((repeat nextValue((each V).self, E.self, of: &rest))))
            return false
        }
        guard let error = errorOf[completed.count](future) else {
            completed.append(future)
            return true
        }
        pledge.complete(.failure(error))
        return false
    }
}

/// Gets the error out of a future of the same type as `future`, which it does not hold.
private func errorAccess<V, E>(like future: Future<V, E>) -> (AnyFuture) -> E? {
    {
        guard case .failure(let error) = unsafeDowncast($0, to: Future<V, E>.self).outcome else {
            return nil
        }
        return error
    }
}

/// The value of the first of `futures`, which has one of that type.
private func nextValue<V: Sendable, E: Error>(
    _: V.Type, _: E.Type, of futures: inout ArraySlice<AnyFuture>
) -> V {
    unsafeDowncast(futures.removeFirst(), to: Future<V, E>.self).outcome.success
}
