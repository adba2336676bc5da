// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = Loop.shared
@Sendable func fetch(_ page: Int) async throws -> [String] { ["page \(page)"] }
// snippet.show
// The limit is one timer, freed at once. Progress restarts it.
let pages = try await withTimeout(.seconds(2), on: loop) { timeout in
    var pages: [String] = []
    for page in 1...3 {
        pages += try await fetch(page)
        timeout.restart()
    }
    return pages
}

// Waits of 100, 200, 400 and 800 ms; half of each is random.
let backoff = Backoff.exponential(
    base: .milliseconds(100), jitter: 0.5...1)
let page = try await retry(attempts: 5, backoff: backoff, on: loop) {
    try await fetch(4)
}

// A hundred per second, ten at once. Callers are served in order.
let limiter = RateLimiter(100, per: .seconds(1), burst: 10, on: loop)
try await limiter.acquire()

// A tick every ten milliseconds, without drift. Late ticks are counted.
for await tick in loop.ticks(every: .milliseconds(10)) {
    print("beat \(tick.index), \(tick.missed) missed")
    if tick.index >= 2 { break }
}
// snippet.hide
precondition(pages.count + page.count == 4)
