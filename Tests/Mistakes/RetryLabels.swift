// SPDX-License-Identifier: Apache-2.0
// A wrong label of `retry` has an ordinary diagnostic.
import Swivel

private func load() async throws -> Int { 1 }

private func labels(_ loop: Loop, _ delay: Duration) async throws {
    _ = try await retry(times: 3) { try await load() }  // error: extraneous argument label 'times:'
    _ = try await retry(3) { try await load() }  // error: the labels of retry are
    _ = try await retry(limit: 3) { attempt in print(attempt) }  // error: extraneous argument label
    _ = try await retry(attempt: 3) { try await load() }  // error: argument label
    _ = try await retry(maxAttempts: 3, backoff: .exponential()) { 1 }  // error: argument label
    _ = try await retry(attempts: 3, backof: .exponential()) { 1 }  // error: argument label in
    _ = try await retry(attempts: 3, where: { _ in true }) { 1 }  // error: argument label 'where:'
    _ = try await retry(attempts: 3, loop: loop) { try await load() }  // error: label 'loop:'
    _ = try await retry(attempts: 3, delay: delay) { try await load() }  // error: label 'delay:'
    _ = try await retry(attempts: 3, delay: delay) { attempt in attempt }  // error: label 'delay:'
    _ = try await retry(count: 3, loop: loop) { 1 }  // error: extra argument 'loop' in call
    _ = try await retry(attempts: 3, operation: { 1 })  // error: argument label 'operation:'
    _ = try await retry(attempts: 3, 4) { try await load() }  // error: the labels of retry are
}
