// SPDX-License-Identifier: Apache-2.0
// A loop on your own thread, its descriptors and its signals: see the
// article Embedding.
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import Dispatch
import Swivel

// A program that polls: one descriptor stands for all timers and posts.
func poll(_ loop: Loop) {
    var entry = pollfd(
        fd: loop.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while loop.metrics.pending > 0 {
        poll(&entry, 1, -1)
        loop.runOnce(.noWait)
    }
}

// A descriptor, watched by a loop with a thread.
func wait(for descriptor: Int32, on loop: Loop) async {
    for await event in loop.events(of: descriptor, for: .readable) {
        guard event.error == nil else { break }
        var byte: UInt8 = 0
        if read(descriptor, &byte, 1) == 1 { break }
    }
}

func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    return (ends[0], ends[1])
}

let loop = try Loop.embedded()
loop.schedule(after: .milliseconds(20)) { print("on my own thread") }
poll(loop)

// A queue drives it from here on.
let attachment = loop.attach(to: DispatchQueue(label: "timers"))
loop.schedule(after: .milliseconds(20)) { print("on a queue") }

let server = try Loop()
let ends = makePipe()
write(ends.write, "x", 1)
await wait(for: ends.read, on: server)
close(ends.read)
close(ends.write)

// A signal, as a sequence: from here on SIGTERM does not end the program.
let signals: Signals = server.signals([.terminate])
kill(getpid(), SIGTERM)
for await signal in signals {
    print("\(signal) has come")
    break
}

loop.shutdown(.drain(within: .seconds(1)))
server.shutdown()
