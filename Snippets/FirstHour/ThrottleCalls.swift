// SPDX-License-Identifier: Apache-2.0
import Swivel

// The first call draws at once. After that calls share a run each 50 ms.
let loop = try Loop()
let draw = Throttle(on: loop, every: .milliseconds(50)) { print("draw") }
for await tick in loop.ticks(every: .milliseconds(5)) {
    draw.call()
    if tick.index == 40 { break }
}
loop.shutdown(.drain(within: .seconds(1)))
