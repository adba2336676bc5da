// SPDX-License-Identifier: Apache-2.0
import Swivel

func fetch(_ page: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(10))
    return "text of \(page)"
}

// `async` starts the work, and `await()` blocks until it is done.
func load(_ page: String) throws -> String {
    try async { try await fetch(page) }.await()
}

print(try load("index"))
