// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "server", maxPendingPosts: 1_000))
@Sendable func hangUp(_ socket: Int32) { print("idle: \(socket)") }
@Sendable func fail(_ request: Int) { print("too late: \(request)") }
@Sendable func store(_ line: String) { print(line) }
let socket: Int32 = 7
let request = 1
// snippet.show
// A hundred thousand connections, one timer. Call `touch()` at each read.
let idle = IdleTracker<Int32>(on: loop, after: .seconds(30)) { sockets in
    sockets.forEach { hangUp($0) }
}
let connection = idle.add(socket)
connection.touch()

// Deadlines that differ, and move.
let deadlines = DeadlineQueue<Int>(on: loop) { late in
    late.forEach { fail($0) }
}
let deadline = deadlines.add(request, after: .seconds(2))
deadline.move(after: .seconds(5))
deadline.remove()

// If the loop is full, each post waits until the loop accepts it.
for number in 1...3 {
    await loop.execute(waitingIfFull: { store("line \(number)") })
}
// snippet.hide
precondition(idle.count == 1 && deadlines.count == 0)
loop.shutdown(.drain(within: .seconds(1)))
