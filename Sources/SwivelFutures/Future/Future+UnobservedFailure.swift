// SPDX-License-Identifier: Apache-2.0

extension Future where Value == Never, Failure == Never {
    /// Calls `observer` for each future that has failed and is released unobserved: it had no
    /// callback and no wait, and its result was not read.
    ///
    /// A failure that was passed on to a derived future counts as observed, and the derived
    /// future's counts instead. A newer observer replaces the older one. Call sites are known for
    /// futures made while an observer is set. Without an observer, debug builds report an error that
    /// submitted work has thrown (`submit`, ``async(on:file:line:_:)``,
    /// ``init(on:file:line:_:)``), once for each call site.
    ///
    /// **Thread:** any. `observer` runs on the thread that releases the future, under no lock. It
    /// should log, and return.
    /// - Parameter observer: `nil`, as at the start of the program, observes nothing.
    /// - Complexity: O(1). While an observer is set, making and releasing a future take a lock.
    @preconcurrency
    public static func onUnobservedFailure(_ observer: (@Sendable (UnobservedFailure) -> Void)?) {
        FailureObserver.set(observer)
    }
}

extension Future {
    /// Remembers where the future's work was submitted: debug builds report its unobserved error.
    @inlinable
    func noteWork(_ file: StaticString, _ line: UInt) {
        #if DEBUG
        if Failure.self != Never.self { noteSite(file, line, isWork: true) }
        #endif
    }

    /// Remembers where the future was made, if there is an observer, or if work completes it.
    @usableFromInline
    func noteSite(_ file: StaticString, _ line: UInt, isWork: Bool = false) {
        guard isWork || FailureObserver.isOn else { return }
        FailureObserver.note(pointer, file, line, isWork: isWork)
        extendLifetime(self)
    }
}
