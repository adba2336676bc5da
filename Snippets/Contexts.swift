// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Foundation
import Swivel

@Sendable func parse(_ text: String) -> Int { text.count }
@Sendable func show(_ count: Int) { print(count) }
@Sendable func compact() {}
@Sendable func respond(to connection: Int) { print("connection \(connection)") }
// snippet.show
// One loop per core, each pinned to its own. A connection stays on the
// loop that its key selects.
let processors = ProcessInfo.processInfo.activeProcessorCount
let group = try LoopGroup(
    count: processors, configuration: .init(name: "io"),
    pinnedTo: Array(0..<processors))
for connection in 1...4 {
    group.next(for: connection).execute { respond(to: connection) }
}

// Work goes to the pool, its result comes back to the loop.
let loop = group.next()
WorkerPool.background.submit { parse("some text") }
    .onSuccess(on: loop) { show($0) }

// A name for a timer, and a report if it blocks its loop.
loop.schedule(every: .seconds(10), label: "compact the store") { _ in
    compact()
}
try loop.watchdog(after: .milliseconds(100)) { stall in
    print("\(stall)")
}
// snippet.hide
let reports = group.shutdown(.drain(within: .seconds(1)))
precondition(reports.total.isComplete)
