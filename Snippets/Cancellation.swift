// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

let loop = try Loop(.init(name: "calls"))
@Sendable func give(up request: Int) { print("gave up \(request)") }
@Sendable func work() {}
let request = 1
// snippet.show
let timeout = loop.schedule(after: .seconds(2)) { give(up: request) }
switch timeout.cancel() {
case .cancelled: print("in time: it never runs, and its captures are gone")
case .running: print("too late: it is running, on the loop's thread")
case .finished: print("too late: it has run, or was cancelled before")
}

// On a queue: a tick that has begun runs to its end, and is the last one.
let queue = DispatchQueue(label: "reports")
let reports = queue.schedule(every: .seconds(1)) { work() }
if reports.cancel() == .running {
    print("one report is still being written")
}

// Ends with its scope.
func measure(_ body: () -> Void) {
    let progress = loop.schedule(every: .seconds(1)) { print("…") }
        .scoped()
    body()
    _ = progress.isPending
}
measure { work() }
// snippet.hide
func end(_ timer: TimerHandle) async {
    // snippet.show
    // Also waits for a closure that is running.
    _ = await timer.cancelAndWait()
    // snippet.hide
}
let ending = Task { await end(reports) }
await ending.value
loop.shutdown()
