// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "store"))
@Sendable func saveToDisk() { print("saved") }
@Sendable func show(_ text: String) { print(text) }
// snippet.show
// A hundred changes, one save: 200 ms after the last, 2 s after the first at the latest.
let save = Coalescer(on: loop, after: .milliseconds(200), maxWait: .seconds(2)) { saveToDisk() }
for _ in 0..<100 { save.call() }
save.flush()

// The same without an object: a newer call with this id replaces the pending one. Ids belong to the
// whole process, on every context. A private type as the id cannot collide with another.
enum ID: Hashable { case status }
loop.once(ID.status, after: .milliseconds(50)) { show("connecting") }
loop.once(ID.status, after: .milliseconds(50)) { show("connected") }
// snippet.hide
loop.shutdown(.drain(within: .seconds(1)))
