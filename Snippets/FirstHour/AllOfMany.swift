// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop()

// Of one type: the values in order, or the first failure.
let squares = (1...3).map { n in loop.submit { n * n } }
print(squares.sequence().await())

// Of two types.
let both = all(loop.submit { 1 }, loop.submit { "one" })
print(both.await())

// On all processors, and wait.
WorkerPool.background.each(["a", "b", "c"]) { print($0) }
loop.shutdown()
