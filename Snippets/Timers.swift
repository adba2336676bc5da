// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "io"))
// snippet.show
let timeout = loop.schedule(after: .seconds(30)) { print("no answer") }
loop.schedule(every: .milliseconds(100)) { tick in
    print("beat \(tick.index), \(tick.lateness) late, \(tick.missed) missed")
    if tick.index == 9 { tick.cancel() }
}
loop.execute {
    // An answer came. After `.cancelled` the closure never runs, and its captures are gone.
    if timeout.cancel() == .cancelled { print("in time") }
}
// snippet.hide
let report = loop.shutdown(.drain(within: .seconds(2)))
precondition(report.cancelledPosts == 0 && report.cancelledTimers == 1, "only the repeat \(report)")
