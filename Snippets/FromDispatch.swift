// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

let queue = DispatchQueue(label: "work")
@Sendable func beat() {}
@Sendable func expire() {}
@Sendable func load() -> Int { 1 }
// snippet.show
// Before: a source that must be kept, resumed and cancelled, and ends
// when it is dropped.
let source = DispatchSource.makeTimerSource(queue: queue)
source.schedule(
    deadline: .now() + 1, repeating: 1, leeway: .milliseconds(10))
source.setEventHandler { beat() }
source.resume()
source.cancel()

// After: the same queue.
let beats = queue.schedule(
    every: .seconds(1), leeway: .milliseconds(10)
) {
    beat()
}
beats.cancel()

// Before: the item and all it captures stay in memory until the deadline.
let item = DispatchWorkItem { expire() }
queue.asyncAfter(deadline: .now() + 30, execute: item)
item.cancel()

// After: they are gone when cancel() returns.
let timeout = queue.schedule(after: .seconds(30)) { expire() }
timeout.cancel()

// Before: a semaphore. Called on the queue itself, it hangs.
let ready = DispatchSemaphore(value: 0)
// Unsafe only to the compiler, because the semaphore orders the threads.
nonisolated(unsafe) var before = 0
queue.async {
    before = load()
    ready.signal()
}
ready.wait()

// After. Called on the queue itself, it stops the program with the reason.
let after = queue.submit { load() }.await()
// snippet.hide
precondition(before == after)
