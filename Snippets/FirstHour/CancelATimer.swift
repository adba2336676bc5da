// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop()
let timeout = loop.schedule(after: .seconds(30)) { print("no answer") }

// An answer has come. After `.cancelled` the closure never runs.
switch timeout.cancel() {
case .cancelled: print("in time")
case .running: print("too late: the closure is running")
case .finished: print("too late: the closure has run")
}
loop.shutdown()
