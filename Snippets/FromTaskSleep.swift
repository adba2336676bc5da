// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

// snippet.show
struct Poller<C: Clock> where C.Duration == Duration {
    let clock: C

    // Task.sleep(for:) becomes clock.sleep(for:): real or virtual.
    func poll(_ times: Int, _ body: @Sendable () -> Void) async throws {
        for _ in 0..<times {
            try await clock.sleep(for: .milliseconds(10))
            body()
        }
    }
}

@main
struct Program {
    static func main() async throws {
        try await Poller(clock: ContinuousClock()).poll(1) {
            print("the standard library's clock")
        }
        let clock = Loop.shared.clock
        try await Poller(clock: clock).poll(1) { print("a loop's clock") }

        // Without drift, and with a count of what was missed.
        let ticks = Loop.shared.ticks(every: .milliseconds(10))
        for await tick in ticks where tick.index == 2 { break }

        // The limit is one timer. There is no second task that sleeps.
        let answer = try await withTimeout(.seconds(1)) { _ in 42 }
        print(answer)
    }
}
