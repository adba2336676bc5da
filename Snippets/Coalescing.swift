// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "search"))
@Sendable func find(_ text: String) { print("search for \(text)") }
@Sendable func saveToDisk() { print("saved") }
@Sendable func show(_ text: String) { print(text) }
@Sendable func draw() { print("drawn") }
@Sendable func fetch(_ page: Int) async throws -> String { "page \(page)" }
// snippet.show
// 300 ms after the last key, and 2 s after the first at the latest.
let search = Debouncer<String>(
    on: loop, after: .milliseconds(300), maxWait: .seconds(2)
) { text in
    find(text)
}
for text in ["s", "sw", "swivel"] { search.call(text) }
// snippet.hide

// snippet.show
// Without a value: the closure reads the state when it runs.
let save = Coalescer(on: loop, after: .milliseconds(200)) { saveToDisk() }
for _ in 0..<100 { save.call() }
save.flush()

// Without an object: a newer call with this id replaces the pending one.
enum ID: Hashable { case status }
loop.once(ID.status, after: .milliseconds(50)) { show("connecting") }
loop.once(ID.status, after: .milliseconds(50)) { show("connected") }
// snippet.hide

// snippet.show
// The first call draws at once. Calls that come before this run has
// started join it. All later ones share one run, 16 ms after it.
let redraw = Throttle(on: loop, every: .milliseconds(16)) { draw() }
for _ in 0..<100 { redraw.call() }
// snippet.hide

// snippet.show
// Five at once, then one every 200 ms. Callers are served in order.
let limiter = RateLimiter(5, per: .seconds(1), on: loop)
for page in 1...3 {
    try await limiter.acquire()
    print(try await fetch(page))
}
// snippet.hide

// snippet.show
// Four at once, however many tasks there are.
let limit = ConcurrencyLimit(4)
try await withThrowingTaskGroup(of: Void.self) { group in
    for page in 1...20 {
        group.addTask {
            let text = try await limit.run { try await fetch(page) }
            print(text)
        }
    }
    try await group.waitForAll()
}
// snippet.hide
precondition(limit.running == 0 && limit.waiting == 0)
await search.flushAndWait()
loop.shutdown(.drain(within: .seconds(1)))
