// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

@Sendable func fetchName() async throws -> String { "Ada" }
@Sendable func fetchPosts(of name: String) async throws -> [String] { ["\(name)'s post"] }
// snippet.show
// One instant for both calls, however long the first one takes.
let deadline = ContinuousClock.now + .seconds(2)
let name = try await withDeadline(deadline) { try await fetchName() }
let posts = try await withDeadline(deadline) {
    try await fetchPosts(of: name)
}

// The inner deadline is later, so it needs neither a timer nor a task.
try await withDeadline(in: .seconds(1)) {
    try await withDeadline(in: .seconds(5)) {
        print(try await fetchPosts(of: name))
    }
}
// snippet.hide
precondition(posts.count == 1)
