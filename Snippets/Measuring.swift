// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "io"))
loop.schedule(after: .milliseconds(5)) {}
// snippet.show
let metrics = loop.metrics
print("pending \(metrics.pending), fired \(metrics.fired), missed ticks \(metrics.missed)")
print("half of the timers were at most \(metrics.lateness.quantile(0.5)) late")
print("one in a hundred was later than \(metrics.lateness.quantile(0.99))")
print("busy for \(Int(metrics.busyShare * 100)) % of its life, \(metrics.wakes) wakes")
print("refused \(metrics.refused)")
// snippet.hide
loop.shutdown(.drain(within: .seconds(1)))
