// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

let loop = try Loop(.init(name: "store"))
@Sendable func load(_ name: String) throws -> String { "the text of \(name)" }
// snippet.show
let file = loop.submit { try load("a.log") }

// On a thread: blocks. On a loop's thread the loop keeps running.
let text = try file.await()

// With a limit. The future stays pending, and another wait may follow.
do {
    _ = try file.await(timeout: .seconds(2))
} catch .timedOut {
    print("not yet")
}

// In a task: suspends, and blocks nothing.
func read(_ file: Future<String, any Error>) async throws -> String {
    try await file.value
}
// snippet.hide
let again = try async { try await read(file) }.await()
precondition(text == again)
loop.shutdown()
