// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Dispatch
import Swivel

@Sendable func load(_ name: String) -> Int { name.count }
let names = ["a.log", "b.log", "c.log"]
// snippet.show
// Before: a group, a lock, and no error when the time is up.
let group = DispatchGroup()
let lock = DispatchQueue(label: "sizes")
// Unsafe only to the compiler, because `lock` guards it.
nonisolated(unsafe) var sizes: [String: Int] = [:]
for name in names {
    DispatchQueue.global().async(group: group) {
        let size = load(name)
        lock.sync { sizes[name] = size }
    }
}
if group.wait(timeout: .now() + 2) == .timedOut { print("too slow") }

// After: all sizes in order, or the first error.
let all = names.traverse { name in Async<Int> { load(name) } }
    .timeout(.seconds(2))
do {
    print(try all.await())
} catch {
    print(error)
}
