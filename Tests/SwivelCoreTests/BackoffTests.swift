// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import Testing

/// How long to wait after a number of failures.
@Suite struct BackoffTests {
    private func delay(_ backoff: Backoff, after failures: Int) -> Duration {
        var wait = backoff.next(after: nil)
        for _ in 1..<failures { wait = backoff.next(after: wait) }
        return wait
    }

    @Test func waitsGrowUpToTheLimit() {
        let backoff = Backoff.exponential(
            base: .milliseconds(100), factor: 3, limit: .seconds(20), jitter: 1...1)
        let waits = [1, 2, 3, 4, 5, 6, 1000].map { delay(backoff, after: $0) }
        #expect(
            waits
                == [100, 300, 900, 2700, 8100, 20_000, 20_000].map {
                    .milliseconds($0)
                })
    }

    @Test func aNumberOfFailuresHasItsWait() {
        let backoff = Backoff.exponential(
            base: .milliseconds(100), factor: 3, limit: .seconds(2), jitter: 0.5...1)
        for (failures, longest) in [
            (0, 100), (1, 100), (2, 300), (3, 900), (4, 2_000), (99, 2_000),
        ] {
            for _ in 0..<100 {
                let wait = backoff.wait(after: failures)
                #expect(wait <= .milliseconds(longest) && wait >= .milliseconds(longest) / 2)
            }
        }
    }

    @Test func waitsThatDoNotGrowStay() {
        #expect(delay(.exponential(base: .zero), after: 1000) == .zero)
        #expect(delay(.constant(.seconds(2)), after: 1000) == .seconds(2))
        #expect(delay(.exponential(base: .seconds(1), limit: .zero), after: 1000) == .zero)
    }

    @Test func whatNoNumberHoldsIsTheLimit() {
        let steep = Backoff.exponential(
            base: .nanoseconds(1), factor: 1_000_000, limit: .seconds(Int64.max), jitter: 1...1)
        #expect(delay(steep, after: 1000) == .seconds(1_000_000_000_000))
        #expect(delay(steep, after: 2) == .milliseconds(1))
    }
}
