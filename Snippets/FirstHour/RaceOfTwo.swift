// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop()
let near = loop.submit(after: .milliseconds(10)) { "near" }
let far = loop.submit(after: .milliseconds(500)) { "far" }

// The other one runs to its end; its value is dropped.
let first = [near, far].firstCompleted()
print(first.await())
loop.shutdown(.drain(within: .seconds(1)))
