// SPDX-License-Identifier: Apache-2.0
// A wrong label of `retry` has an ordinary diagnostic.
import Swivel

private func load() async throws -> Int { 1 }

private func labels() async throws {
    _ = try await retry(times: 3) { try await load() }  // error: extraneous argument label 'times:'
    _ = try await retry(3) { try await load() }  // error: the labels of retry are
    _ = try await retry(limit: 3) { attempt in print(attempt) }  // error: extraneous argument label
    _ = try await retry(attempt: 3) { try await load() }  // error: argument label
    _ = try await retry(maxAttempts: 3, backoff: .exponential()) { 1 }  // error: argument label
}
