// SPDX-License-Identifier: Apache-2.0
import Swivel

func fetch(_ page: String, then: @escaping @Sendable (String) -> Void) {
    then("text of \(page)")
}
func read(_ page: String) async -> String { "text of \(page)" }

// A callback to a value, in synchronous and in asynchronous code.
func blocking() -> String { <<~{ fetch("index", then: $0) } }
func suspending() async -> String { await <<~{ fetch("index", then: $0) } }
print(blocking(), await suspending())

// A callback to a future, and a future to asynchronous code.
let later = materialize { fetch("index", then: $0) }
print(await later.value)

// Asynchronous code to a future.
let future = async { await read("index") }
future.onSuccess { print($0) }
print(try await future.value)
