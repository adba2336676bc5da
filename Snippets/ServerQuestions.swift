// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Foundation
import Swivel
import SwivelTesting

let loop = try Loop(.init(name: "io"))
@Sendable func load(_ name: String) throws -> String { throw CocoaError(.fileNoSuchFile) }
@Sendable func resize(_ image: String) { print(image) }
let images = ["a", "b", "c"]
// snippet.show
// An error goes to the future. The closures of `execute` and of timers
// cannot throw.
loop.submit { try load("a.log") }
    .onFailure { print("not loaded: \($0)") }

// The work that a loop still has: timers, watches and posts.
let renewal = loop.schedule(every: .seconds(60), label: "renew") { _ in
}
for work in loop.pending(limit: 20) { print(work) }

// Four at once, however many there are.
let resizing = WorkerPool(name: "resizing", threads: 4, maximumThreads: 4)
resizing.each(images) { resize($0) }

// A date that a test can reach: the caller passes the time.
func close(
    at date: Date, now: Date = .now, on loop: Loop,
    _ work: @escaping @Sendable () -> Void
) {
    loop.schedule(after: .seconds(date.timeIntervalSince(now)), work)
}
// snippet.hide
precondition(renewal.cancel() == .cancelled)
let manual = try Loop.manual()
let start = Date(timeIntervalSince1970: 0)
close(at: start + 3600, now: start, on: manual) { print("closed") }
manual.advance(by: .seconds(3599))
precondition(manual.pending.count == 1)
manual.advance(by: .seconds(1))
precondition(manual.pending.isEmpty)
loop.shutdown(.drain(within: .seconds(1)))
