// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// As ``Transform``, for work that completes a future.
@frozen @usableFromInline
struct FutureWork<Value, Failure: Error> {
    @usableFromInline let run: @Sendable () throws(Failure) -> Value

    @inlinable
    init(_ run: consuming @escaping @Sendable () throws(Failure) -> Value) {
        self.run = run
    }

    /// Runs the work, and releases it. (`Result(catching:)` would count a reference more.)
    @inlinable
    consuming func outcome() -> Result<Value, Failure> {
        do throws(Failure) {
            return .success(try run())
        } catch {
            return .failure(error)
        }
    }
}

extension Future {
    /// The future of what `work` returns or throws. It starts at once.
    ///
    /// **Thread:** any. `work` runs on `context`, inside this call on `.immediate` only.
    /// - Parameter file: The call site with `line`, for an unobserved failure.
    /// - Complexity: O(1). On a loop and on a pool one allocation next to the closure's own,
    ///   elsewhere three.
    @inlinable
    @preconcurrency
    @discardableResult
    public convenience init(
        on context: any ExecutionContext, file: StaticString = #fileID, line: UInt = #line,
        _ work: consuming @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .lent(by: context), work)
        extendLifetime(context)
        noteWork(file, line)
    }

    /// As ``init(on:file:line:_:)``, on a context that is lent for this call.
    @inlinable
    convenience init(
        on context: CallbackContext,
        _ work: consuming @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: context, FutureWork(work)) {
            Failure.canTellOfRefusal
        } step: { future, source in
            let work = future.take(FutureWork<Value, Failure>.self)
            guard source != nil else { return Future.end(future) }
            future.resolve((consume work).outcome())
        }
    }

    /// The future of what `work` returns or throws in the background, on the worker pool.
    /// - Complexity: As ``init(on:file:line:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .background, file: file, line: line, work)
    }

    /// The future of what `work` returns or throws on `context`.
    /// - Complexity: As ``init(on:file:line:_:)``.
    @inlinable
    @preconcurrency
    @discardableResult
    public convenience init(
        _ context: any ExecutionContext, file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: context, file: file, line: line, work)
    }
}

extension Future {
    /// The future of what the asynchronous `work`, an unstructured task, returns or throws:
    /// `Async { await load() }`. `file` and `line` are as in ``init(on:file:line:_:)``.
    /// - Complexity: O(1), a task and a few allocations.
    @preconcurrency
    @discardableResult
    public convenience init(
        file: StaticString = #fileID, line: UInt = #line,
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) {
        self.init()
        noteWork(file, line)
        let completer = Completer(self)
        Task {
            do throws(Failure) {
                completer.complete(.success(try await work()))
            } catch {
                completer.complete(.failure(error))
            }
        }
    }
}

// The same without a call site, as function values: `works.map(loop.submit)`. Disfavored: a call
// has a site, by which an unobserved failure is reported.
extension Future {
    /// See ``init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(
        on context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .lent(by: context), work)
        extendLifetime(context)
    }

    /// See ``init(_:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(
        _ context: any ExecutionContext, _ work: @escaping @Sendable () throws(Failure) -> Value
    ) {
        self.init(on: .lent(by: context), work)
        extendLifetime(context)
    }

    /// See ``init(on:file:line:_:)``.
    @_disfavoredOverload
    @preconcurrency
    @discardableResult
    public convenience init(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        self.init(on: .lent(by: WorkerPool.shared), work)
    }
}

extension Future where Failure == Never {
    /// Not callable: the compiler's message says what to write.
    @available(
        *, unavailable,
        message: "an Async cannot fail; use 'async { }' or 'Future<Value, any Error> { }'"
    )
    public convenience init(_ work: @escaping @Sendable () async throws -> Value) {
        fatalError()
    }
}

/// Work that completes its future whenever it likes, on any thread. It fits into a future's three
/// words, the first two of which are a closure: see ``CallbackWords/hasClosure``.
@usableFromInline
package protocol FutureStart<Value, Failure>: Sendable {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// Starts the work. `future` ends through ``Future/resolveOnce(_:)``.
    consuming func start(for future: Future<Value, Failure>)

    /// The error if the context drops the work.
    static var neverStarted: Failure { get }
}

extension Future {
    /// The future that `start` is to complete, which runs on `context`, beyond its limit of posts.
    /// - Complexity: O(1), one allocation.
    @inlinable
    package convenience init<S: FutureStart<Value, Failure>>(
        on context: any ExecutionContext, starting start: consuming S
    ) {
        assert(FuturePointer.fits(S.self))
        self.init(on: .lent(by: context), start) {
            false
        } step: { future, source in
            let start = future.take(S.self)
            guard source != nil else { return future.resolve(Outcome.failure(S.neverStarted)) }
            future.cell.pointee.leaveContext()
            let object = future.object.takeUnretainedValue()
            start.start(for: unsafeDowncast(object, to: Future.self))
        }
        extendLifetime(context)
    }
}
