// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

// Many futures as one. The first failing element in *list* order decides, even if another one
// failed earlier. Elements are visited in order, each once it and all before it have completed.
extension Sequence {
    /// Collects the values of all futures. An empty sequence gives an empty array at once. An error
    /// behind a future that never completes is not passed on.
    ///
    /// **Thread:** any.
    /// - Returns: The future of all values, in order, or of the first error in list order.
    /// - Complexity: O(n). One copy of the sequence, and no allocation for each element.
    @inlinable
    public func sequence<V, E>() -> Future<[V], E> where Element == Future<V, E> {
        let values = Gathered<[V]>([])
        values.value.reserveCapacity(underestimatedCount)
        return walk(self, failure: { $0 }) { (value: V) in
            values.value.append(value)
            return nil
        } end: {
            .success(values.value)
        }
    }

    /// Makes a future of each element, and returns that of their values, as `sequence()`.
    ///
    /// **Thread:** any. `transform` runs inside this call, for every element.
    /// - Complexity: As `sequence()`.
    @inlinable
    @preconcurrency
    public func traverse<V, E>(_ transform: (Element) -> Future<V, E>) -> Future<[V], E> {
        map(transform).sequence()
    }

    /// Combines `zero` with all values, one after the other.
    ///
    /// **Thread:** any. `combine` runs on `context`.
    /// - Returns: The future of the last value that `combine` returns, or of the first error;
    ///   `zero` if there are no elements.
    /// - Complexity: As `sequence()`.
    @inlinable
    @preconcurrency
    public func fold<R: Sendable, V, E>(
        on context: any ExecutionContext = .background, _ zero: R,
        _ combine: @escaping @Sendable (R, V) -> R
    ) -> Future<R, E> where Element == Future<V, E> {
        let folded = Gathered(zero)
        return walk(self, on: .of(context), failure: { $0 }) { (value: V) in
            folded.value = combine(folded.value, value)
            return nil
        } end: {
            .success(folded.value)
        }
    }

    /// Finds the first value, in list order, that `predicate` accepts.
    ///
    /// **Thread:** any. `predicate` runs on `context`, for no element after the match.
    /// - Returns: The future of the value, which completes once all values before it are known. It
    ///   fails with ``FutureError/failed(_:)`` if an error comes before the match, and with
    ///   ``FutureError/noSuchElement`` without a match.
    /// - Complexity: As `sequence()`.
    @inlinable
    @preconcurrency
    public func find<V, E>(
        on context: any ExecutionContext = .background,
        _ predicate: @escaping @Sendable (V) -> Bool
    ) -> Future<V, FutureError<E>> where Element == Future<V, E> {
        walk(self, on: .of(context), failure: FutureError.failed) { (value: V) in
            predicate(value) ? .success(value) : nil
        } end: {
            .failure(.noSuchElement)
        }
    }

    /// Returns the result, value or error, of the element that completes first. An empty sequence
    /// stops the program: nothing would ever complete the future.
    ///
    /// **Thread:** any.
    /// - Complexity: O(n). Nothing stays in the futures that lose.
    public func firstCompleted<V, E>(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<V, E> where Element == Future<V, E> {
        let futures = Array(self)
        check(
            !futures.isEmpty, "firstCompleted() of no futures would never complete", file: file,
            line: line)
        let race = Race()
        let first = Future<V, E>(needing: { race.needs })
        let completer = Completer(first)
        for future in futures where !first.isCompleted {
            race.add(
                future.whenOver {
                    guard case .result(let result) = $0 else { return }
                    race.end()
                    completer.complete(result)
                })
        }
        return first
    }

    /// Returns the values of all results, in order, or the first error. **Thread:** any.
    /// - Complexity: O(n).
    public func sequence<V, E>() -> Result<[V], E> where Element == Result<V, E> {
        Result { () throws(E) in try map { (result) throws(E) in try result.get() } }
    }
}

extension Result where Success: Sendable {
    /// Returns the future that `transform` returns for the value; on an error, one that has failed
    /// with it.
    ///
    /// **Thread:** any. `transform` runs inside this call.
    /// - Complexity: O(1) and `transform`.
    @inlinable
    public func flatMap<U: Sendable>(
        _ transform: (Success) -> Future<U, Failure>
    ) -> Future<U, Failure> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): Future(error: error)
        }
    }
}

/// The future that a walk along `futures` completes: with the first result that `visit` returns for
/// a value, with the first error, or with `end`'s result.
@inlinable
func walk<V: Sendable, E: Error, U: Sendable, F: Error>(
    _ futures: some Sequence<Future<V, E>>, on context: CallbackContext = .direct,
    failure: @escaping (E) -> F, visit: @escaping (V) -> Result<U, F>?,
    end: @escaping () -> Result<U, F>
) -> Future<U, F> {
    let walked = Future<U, F>()
    Walk(
        futures.map { FuturePointer(Unmanaged.passRetained($0)) }, on: context, for: walked,
        visit: { future in
            let result: Result<U, F>?
            switch future?.outcome(Result<V, E>.self).pointee {
            case .success(let value): result = visit(value)
            case .failure(let error):
                future?.markObserved()
                result = .failure(failure(error))
            case nil: result = end()
            }
            guard let result else { return true }
            walked.resolve(result)
            return false
        }, end: { Future<U, F>.end($0) }
    ).begin()
    return walked
}

/// The values that a walk has gathered. Its steps run one after the other: access is not checked.
@usableFromInline
final class Gathered<Value> {
    @usableFromInline @exclusivity(unchecked) var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}

/// Collects the values of `futures`, which have different types.
///
/// **Thread:** any.
/// - Returns: The future of all values, or of the error of the first in list order that fails.
/// - Complexity: O(n), for n futures.
public func all<each V: Sendable, E: Error>(
    _ futures: repeat Future<each V, E>
) -> Future<(repeat each V), E> {
    var erased: [Future<any Sendable, E>] = []
    for future in repeat each futures {
        erased.append(future.chained { $1.resolve($0.map { $0 as any Sendable }) })
    }
    return erased.sequence().chained { values, all in
        all.resolve(
            values.map { values in
                var rest = values[...]
                return (repeat nextValue((each V).self, of: &rest))
            })
    }
}

// Names of other libraries for these functions, and guesses.

/// Not callable: the compiler's message says what to write.
@available(*, unavailable, message: "write 'futures.sequence()'")
public func all<V, E>(_ futures: [Future<V, E>]) -> Future<[V], E> {
    fatalError()
}

extension Future {
    /// Not callable: the compiler's message says what to write.
    @available(*, unavailable, message: "write '[first, second].firstCompleted()'")
    public static func race(_ futures: Future...) -> Future {
        fatalError()
    }

    /// Not callable: the compiler's message says what to write.
    @available(*, unavailable, message: "write 'futures.firstCompleted()'")
    public static func race(_ futures: [Future]) -> Future {
        fatalError()
    }

    /// Not callable: the compiler's message says what to write.
    @available(*, unavailable, message: "write 'futures.sequence()'")
    public static func all(_ futures: [Future]) -> Future<[Value], Failure> {
        fatalError()
    }
}

extension Future where Value == Never {
    /// Not callable: the compiler's message says what to write.
    @available(*, unavailable, message: "write 'all(first, second)'")
    public static func all<each V: Sendable>(
        _ futures: repeat Future<each V, Failure>
    ) -> Future<(repeat each V), Failure> {
        fatalError()
    }
}

/// Takes the first of `values`, which has that type.
private func nextValue<V>(_: V.Type, of values: inout ArraySlice<any Sendable>) -> V {
    if let value = values.removeFirst() as? V { return value }
    trap(
        "all() has lost the type \(V.self) of a value: this is a bug of Swivel's, please report it")
}
