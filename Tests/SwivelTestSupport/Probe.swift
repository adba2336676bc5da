// SPDX-License-Identifier: Apache-2.0
package import SwivelCore
package import Testing

/// Makes closures whose runs and releases are counted.
///
/// A closure holds a token; the token's end is the closure's release. The number of tokens alive is
/// kept for all probes together, and every test must end with none.
package final class Probe: Sendable {
    package static let alive = Counter()

    private let madeCount = Counter()
    private let ranCount = Counter()
    private let endedCount = Counter()
    private let releasedCount = Counter()

    package init() {}

    /// Closures made, runs begun, runs ended, closures released.
    package var made: Int { madeCount.value }
    package var ran: Int { ranCount.value }
    package var ended: Int { endedCount.value }
    package var released: Int { releasedCount.value }
    package var live: Int { made - released }

    /// An object that a closure captures, or that a future has as its value.
    package final class Token: Sendable {
        private let probe: Probe
        private let onRelease: (@Sendable () -> Void)?

        fileprivate init(_ probe: Probe, _ onRelease: (@Sendable () -> Void)? = nil) {
            self.probe = probe
            self.onRelease = onRelease
            probe.madeCount.add()
            Probe.alive.add()
        }

        fileprivate func run<R>(_ body: () -> R) -> R {
            probe.ranCount.add()
            defer { probe.endedCount.add() }
            return body()
        }

        deinit {
            onRelease?()
            probe.releasedCount.add()
            Probe.alive.add(-1)
        }
    }

    /// Something to capture.
    package func token() -> Token { Token(self) }

    /// A closure that counts its runs and its release.
    package func work() -> @Sendable () -> Void {
        work {}
    }

    /// As `work()`, with something to do.
    package func work<R>(_ body: @escaping @Sendable () -> R) -> @Sendable () -> R {
        let token = token()
        return { token.run(body) }
    }

    /// As `work()`, for what is called with a value.
    package func work<Value, R>(
        _ body: @escaping @Sendable (Value) -> R
    ) -> @Sendable (Value) -> R {
        let token = token()
        return { value in token.run { body(value) } }
    }

    /// As `work()`, for each tick of a repeating timer.
    package func tick(
        _ body: @escaping @Sendable (Tick) -> Void = { _ in }
    ) -> @Sendable (Tick) -> Void {
        work(body)
    }

    /// A closure with a capture whose deinit calls `deed`.
    package func reentrant(_ deed: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let token = Token(self, deed)
        return { token.run {} }
    }

    /// Waits until this many runs have ended in all; fails the test if that takes a minute.
    package func waitForRuns(
        _ times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if !eventually(seconds: 60, { ended >= times }) {
            Issue.record("\(ended) runs ended, not \(times)", sourceLocation: sourceLocation)
        }
    }

    /// Waits until this many closures were released in all; fails the test if that takes a minute.
    package func waitForReleases(
        _ times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if !eventually(seconds: 60, { released >= times }) {
            Issue.record(
                "\(released) closures were released, not \(times)", sourceLocation: sourceLocation)
        }
    }

    /// Waits until all closures were released: the last act of a thread may still be under way.
    package static func allAreReleased() -> Bool {
        eventually { alive.value == 0 }
    }
}
