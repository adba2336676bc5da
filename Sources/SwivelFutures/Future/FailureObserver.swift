// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A failure that nobody has looked at: see ``AnyFuture/onUnobservedFailure(_:)``.
public struct UnobservedFailure: Sendable {
    /// What the future failed with.
    public let error: any Error
    /// The file of the call that made the future; `nil` where that is not known. It is for a
    /// ``Promise``, and for ``async(on:file:line:_:)`` in both its forms.
    public let file: StaticString?
    /// The line of that call; 0 where it is not known.
    public let line: UInt
}

extension AnyFuture {
    /// Has `observer` told of each future that has failed and is released without anybody having
    /// looked: no callback, no wait, and nobody has read its result.
    ///
    /// A failure that a future has passed on, to one that derives from it, counts as looked at; then it
    /// is the last one's. A newer observer replaces the older one. Without one nothing is kept and
    /// nothing is asked; the places of calls are known from the first observer on.
    ///
    /// **Thread:** any. `observer` runs in whichever thread releases the future, under no lock; it
    /// should log, and return.
    /// - Parameter observer: `nil`: nobody is told any more, which is so from the start.
    public static func onUnobservedFailure(
        _ observer: (@Sendable (UnobservedFailure) -> Void)?
    ) {
        FailureWatch.set(observer)
    }
}

/// Who is told of failures that nobody looks at, and what is known of the futures meanwhile.
enum FailureWatch {
    private struct State {
        var observer: (@Sendable (UnobservedFailure) -> Void)?
        /// By the future's address, until it is released.
        var sites: [UInt: (file: StaticString, line: UInt)] = [:]
    }

    private static var state: Lock<State> { FirstUse.of(only) }
    private static let only = Lock(State())
    private static let hasObserver = Atomic(false)

    /// Whether anybody is told.
    @inline(__always)
    static var isOn: Bool { hasObserver.load(ordering: .relaxed) }

    static func set(_ observer: (@Sendable (UnobservedFailure) -> Void)?) {
        // Released outside the lock.
        _ = state.withLock { state in
            let old = state
            state.observer = observer
            if observer == nil { state.sites = [:] }
            hasObserver.store(observer != nil, ordering: .relaxed)
            return old
        }
    }

    /// Remembers where `future` was made.
    fileprivate static func note(_ future: FutureRef, _ file: StaticString, _ line: UInt) {
        state.withLock { $0.sites[future.bits] = (file, line) }
    }

    /// Forgets a future that is being released.
    static func forget(_ future: FutureRef) {
        state.withLock { _ = $0.sites.removeValue(forKey: future.bits) }
    }

    fileprivate static func tell(of error: any Error, in future: FutureRef) {
        let (observer, site) = state.withLock { ($0.observer, $0.sites[future.bits]) }
        observer?(UnobservedFailure(error: error, file: site?.file, line: site?.line ?? 0))
    }
}

extension AnyFuture {
    /// Remembers where the future was made, if anybody is told of failures.
    @usableFromInline
    final func noteSite(_ file: StaticString, _ line: UInt) {
        if FailureWatch.isOn {
            withExtendedLifetime(self) { FailureWatch.note(ref, file, line) }
        }
    }
}

extension FutureRef {
    /// In the place of the source of a future that is over: somebody has heard the result, or read it.
    /// The rest of the word is then the callback that ``giveLane(to:)`` was told.
    static let seen: UInt = 1

    /// Somebody looks at the result of a future that is over.
    @usableFromInline
    func noteLook() {
        if cell.pointee.source.load(ordering: .relaxed) & Self.seen == 0 {
            cell.pointee.source.store(Self.seen, ordering: .relaxed)
        }
    }

    /// Tells of the failure, if it is one and nobody has looked. The future is being released.
    @usableFromInline
    func tell<Value, Failure>(_ outcome: Result<Value, Failure>) {
        guard case .failure(let error) = outcome,
            cell.pointee.source.load(ordering: .relaxed) & Self.seen == 0
        else { return }
        FailureWatch.tell(of: error, in: self)
    }
}
