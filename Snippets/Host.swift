// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

// snippet.show
/// An event loop that watches no descriptors: a queue with its own timers.
final class QueueHost: LoopHost {
    private let queue = DispatchQueue(label: "host")
    // Unsafe because it is set once, before the first wake.
    nonisolated(unsafe) weak var loop: Loop?

    // From any thread. The turn comes later, never inside this call.
    func wake() {
        queue.async { self.loop?.runOnce(.noWait) }
    }

    // Replaces the last one; a turn that comes too early does no harm.
    func wake(at deadline: LoopClock.Instant) {
        let delay =
            LoopClock.Instant.now.duration(to: deadline) / .nanoseconds(1)
        let time = DispatchTime.now() + .nanoseconds(Int(max(0, delay)))
        queue.asyncAfter(deadline: time) {
            self.loop?.runOnce(.noWait)
        }
    }
}

let host = QueueHost()
let loop = try Loop.hosted(by: host)
host.loop = loop
loop.schedule(after: .milliseconds(10)) { print("on the host's queue") }
// snippet.hide
let end = loop.submit(after: .milliseconds(20)) {}
end.await()
loop.shutdown()
