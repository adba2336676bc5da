// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import Testing

/// How long to wait after a number of failures.
@Suite struct BackoffTests {
    private func delay(_ backoff: Backoff, after failures: Int) -> Duration {
        // Nothing is drawn: the jitter is a number.
        var generator = SystemRandomNumberGenerator()
        return backoff.delay(after: failures, using: &generator)
    }

    @Test func waitsGrowUpToTheLimit() {
        let backoff = Backoff.exponential(
            base: .milliseconds(100), factor: 3, limit: .seconds(20), jitter: 1...1)
        let waits = [0, 1, 2, 3, 4, 5, 6, 1000, .max].map { delay(backoff, after: $0) }
        #expect(
            waits
                == [100, 100, 300, 900, 2700, 8100, 20_000, 20_000, 20_000].map {
                    .milliseconds($0)
                })
    }

    /// A wait that never reaches its limit, or reaches it late, takes no longer to find out.
    @Test(.timeLimit(.minutes(1)))
    func theNumberOfFailuresCostsNothing() {
        #expect(delay(.exponential(base: .zero, jitter: 1...1), after: .max) == .zero)
        let slow = Backoff.exponential(
            base: .nanoseconds(1), factor: 1.000_000_001, limit: .seconds(1e12), jitter: 1...1)
        #expect(delay(slow, after: .max) == .seconds(1e12))
        let same = Backoff.constant(.seconds(2))
        #expect(delay(same, after: .max) == .seconds(2))
        let none = Backoff.exponential(base: .seconds(1), limit: .zero, jitter: 1...1)
        #expect(delay(none, after: .max) == .zero)
    }

    @Test func whatNoNumberHoldsIsTheLimit() {
        let steep = Backoff.exponential(
            base: .nanoseconds(1), factor: 1_000_000, limit: .seconds(Int64.max), jitter: 1...1)
        #expect(delay(steep, after: 1000) == .seconds(1_000_000_000_000))
        #expect(delay(steep, after: 2) == .milliseconds(1))
    }
}
