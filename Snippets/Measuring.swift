// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "io"))
loop.schedule(after: .milliseconds(5)) {}
// snippet.show
let metrics = loop.metrics
print("pending \(metrics.pending), fired \(metrics.fired)")
print("missed ticks \(metrics.missed), refused \(metrics.refused)")

let lateness = metrics.lateness
print("half of the timers were at most \(lateness.quantile(0.5)) late")
print("one in a hundred was later than \(lateness.quantile(0.99))")

let busy = Int(metrics.busyShare * 100)
print("busy for \(busy) % of its life, \(metrics.wakes) wakes")
// snippet.hide
loop.shutdown(.drain(within: .seconds(1)))
