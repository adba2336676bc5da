// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

@Sendable func compress(_ file: String) { print("compressed \(file)") }
// snippet.show
// Every context has timers. A queue's timer costs a node on a wheel, not a dispatch source.
let files = DispatchQueue(label: "files")
let cleanUp = files.schedule(every: .seconds(60), leeway: .seconds(1)) { print("cleaning up") }

// Runs work on all processors, waits for it, and never starves it.
WorkerPool.background.each(["a.log", "b.log", "c.log"]) { compress($0) }

// On a queue too, a cancel is absolute until the closure starts there.
cleanUp.cancel()
