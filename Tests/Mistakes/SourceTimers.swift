// SPDX-License-Identifier: Apache-2.0
// Old code that spells the type of Brisk's timers.
import Dispatch
import SwivelCompat

private func tick(_ queue: DispatchQueue) {
    queue.async(every: 1) { (t: DispatchSourceTimer) in t.cancel() }  // error: gets a Tick
    dispatch_every(1, queue) { (t: DispatchSourceTimer) in t.cancel() }  // error: gets a Tick
    dispatch_main_every(1) { (t: any DispatchSourceTimer) in t.cancel() }  // error: gets a Tick
}
