// SPDX-License-Identifier: Apache-2.0
import Swivel

let loop = try Loop(.init(name: "store"))
let text = loop.submit { "a value from another thread" }
print(text.await())

// With a limit. Another wait for the same future may follow.
let late = loop.submit(after: .milliseconds(50)) { "a late value" }
do {
    print(try late.await(timeout: .milliseconds(10)))
} catch {
    print("not yet: \(error)")
}
print(late.await())
loop.shutdown()
