// SPDX-License-Identifier: Apache-2.0
import Foundation
import Swivel

let loop = try Loop()
let nine = loop.schedule(matching: DateComponents(hour: 9)) { tick in
    print("good morning")
}
let mondays = DateComponents(hour: 8, minute: 30, weekday: 2)
loop.schedule(matching: mondays, in: .current) { tick in
    print("a new week")
}
print(nine.isPending ? "waiting for nine" : "nothing to wait for")

// A program that only waits ends like this:
//     for await _ in loop.signals([.terminate]) { break }
loop.shutdown()
