// SPDX-License-Identifier: Apache-2.0
// A script with 'await' at its top level, where Swift resolves overloads as in synchronous code. A
// call that suspends has a name of its own, or compiles as the call that blocks.
import Swivel

let loop = try Loop(.init(name: "script"))
let group = try LoopGroup(count: 2)
let saves = Coalescer(on: loop, after: .seconds(1)) {}
let double: @Sendable (Int) -> Int = { $0 * 2 }

@Sendable func load(_ name: String, handler: @escaping @Sendable (String) -> Void) {
    loop.schedule(after: .milliseconds(1)) { handler(name) }
}

// An operator that is to suspend is put into a function.
func album() async -> String {
    await <<~loop ~~~ { load("pics", handler: $0) }
}

saves.call()
saves.flush()
await saves.flushAndWait()
let name = await album()
let four = await (double ~>> (2)).value
let six = await double~>>.on(loop).async(3).value
let isInTime = try await withTimeout(.seconds(1)) { await loop.submit { true }.value }
let handle = loop.schedule(after: .seconds(1)) {}
let result = await handle.cancelAndWait()
for await tick in loop.ticks(every: .milliseconds(1)) where tick.index == 1 { break }
let reports = await group.shutdown()
let report = await loop.shutdown(.drain(within: .seconds(1)))
precondition(name == "pics" && four == 4 && six == 6 && isInTime && result == .cancelled)
precondition(report.isComplete && reports.count == 2)
