// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import Synchronization

/// A failure that was not observed: see ``Future/onUnobservedFailure(_:)``.
public struct UnobservedFailure: Sendable {
    /// The future's error.
    public let error: any Error
    /// The file of the call that made the future; `nil` if it is not known. It is known for a
    /// ``Promise``, for both forms of ``async(on:file:line:_:)``, and in debug builds for other
    /// submitted work. For an arrow it is a file of the library.
    public let file: StaticString?
    /// The line of that call; 0 if it is not known.
    public let line: UInt
}

/// The observer of unobserved failures, and the call sites of futures while there is one.
enum FailureObserver {
    private struct State {
        var observer: Observer?
        /// By the future's address, until it is released; in debug builds submitted work has one
        /// anyway.
        var sites: [UInt: (file: StaticString, line: UInt)] = [:]
    }

    /// One word, which hardly ever changes, so that a forked child can keep it.
    private final class Observer: Sendable {
        let report: @Sendable (UnobservedFailure) -> Void

        init(_ report: @escaping @Sendable (UnobservedFailure) -> Void) {
            self.report = report
        }
    }

    private static let state = Lock<State>.ofProcess { State(observer: $0?.pointee.observer) }
    private static let hasObserver = Atomic(false)

    /// Whether there is an observer.
    @inline(__always)
    static var isOn: Bool { hasObserver.load(ordering: .relaxed) }

    /// Whether futures that are released may have a site, or a failure for the observer.
    @inline(__always)
    static var isNeeded: Bool {
        #if DEBUG
        true
        #else
        isOn
        #endif
    }

    static func set(_ observer: (@Sendable (UnobservedFailure) -> Void)?) {
        // Released outside the lock.
        _ = state.withLock { state in
            let old = state
            state.observer = observer.map(Observer.init)
            if observer == nil { state.sites = [:] }
            hasObserver.store(observer != nil, ordering: .relaxed)
            return old
        }
    }

    /// Remembers where `future` was made.
    static func note(_ future: FuturePointer, _ file: StaticString, _ line: UInt) {
        state.withLock { $0.sites[future.bits] = (file, line) }
    }

    /// Forgets a future that is being released.
    static func forget(_ future: FuturePointer) {
        state.withLock { $0.sites[future.bits] = nil }
    }

    fileprivate static func report(_ error: any Error, in future: FuturePointer) {
        let (observer, site) = state.withLock { ($0.observer, $0.sites[future.bits]) }
        if let observer {
            observer.report(
                UnobservedFailure(error: error, file: site?.file, line: site?.line ?? 0))
        } else if let site {
            // An arrow has no parameters for the line of its call.
            let isArrow = "\(site.file)".hasPrefix("SwivelOperators/")
            let hint = isArrow ? " (an arrow has no line: search for what throws this error)" : ""
            Diagnostics.report(
                """
                the work submitted here threw an error, and nothing has looked at it: \
                \(error)\(hint). Add onFailure, wait for the future, or catch the error in the work
                """, file: site.file, line: site.line, others: isArrow ? "\(error)" : "")
        }
    }
}

extension FuturePointer {
    /// A flag of the source word of a future that is over: the result was taken or read.
    static let observed: UInt = 1

    /// Notes that the result of a future that is over was taken.
    @usableFromInline
    func markObserved() {
        // Relaxed: the release of the future, which reads the flag, comes after this.
        if cell.pointee.source.load(ordering: .relaxed) & Self.observed == 0 {
            cell.pointee.source.store(Self.observed, ordering: .relaxed)
        }
    }

    /// Reports a failure that was not observed. The future is being released.
    @usableFromInline
    func reportUnobserved<Value, Failure>(_ outcome: Result<Value, Failure>) {
        guard case .failure(let error) = outcome,
            cell.pointee.source.load(ordering: .relaxed) & Self.observed == 0
        else { return }
        FailureObserver.report(error, in: self)
    }
}
