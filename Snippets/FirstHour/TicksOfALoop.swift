// SPDX-License-Identifier: Apache-2.0
import Swivel

// Without drift: tick k belongs to the instant first + k * interval.
let loop = try Loop()
for await tick in loop.ticks(every: .milliseconds(10)) {
    print("tick \(tick.index), \(tick.lateness) late")
    if tick.index == 4 { break }
}
loop.shutdown()
