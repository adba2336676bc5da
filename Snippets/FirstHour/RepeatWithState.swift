// SPDX-License-Identifier: Apache-2.0
import Swivel
import Synchronization

// A closure is `@Sendable`: it cannot change a captured `var`.
let loop = Loop.main
let sum = Mutex(0)
loop.schedule(every: .milliseconds(10)) { tick in
    sum.withLock { $0 += tick.index }
    if tick.index == 4 { loop.stop() }
}
loop.run()
print("sum \(sum.withLock { $0 })")
