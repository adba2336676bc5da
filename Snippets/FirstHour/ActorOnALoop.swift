// SPDX-License-Identifier: Apache-2.0
import Swivel

// The actor stores its loop: the runtime does not retain an executor.
actor Counter {
    private let loop: Loop
    private var count = 0

    init(on loop: Loop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    func add() -> Int {
        count += 1
        return count
    }
}

let loop = try Loop()
let counter = Counter(on: loop)

// The loop's closures are on the actor's thread, and need no `await`.
let one = loop.submit { counter.assumeIsolated { $0.add() } }
print(await one.value, await counter.add())
loop.shutdown()
