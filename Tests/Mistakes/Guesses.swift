// SPDX-License-Identifier: Apache-2.0
// Guesses of a new user, for which the compiler names the right spelling.
import Swivel

private let loop = Loop.shared
@Sendable private func load() async throws -> Int { 3 }

private func limits() async throws {
    _ = Throttle(on: loop, interval: .seconds(1)) {}  // error: init(on:every:
    _ = Throttle(on: .main, interval: .seconds(1)) {}  // error: init(on:every:
    let limiter = RateLimiter(limit: 5, per: .seconds(1))  // error: init(_:per:
    try await limiter.wait()  // error: 'wait' has been renamed to 'acquire(_:file:line:)'
    _ = try await withTimeout(of: .seconds(2)) { 1 }  // error: extraneous argument label 'of:'
    _ = try await withTimeout(in: .seconds(2)) { try await load() }  // error: label 'in:'
    _ = try await withTimeout(2) { try await load() }  // error: write 'withTimeout(limit,
    _ = try await withTimeout(.seconds(2), loop: loop) { 1 }  // error: no exact matches in call
}

private func futures(_ first: Future<Int, any Error>, _ text: Future<String, any Error>) {
    _ = Future.race(first, first)  // error: write '[first, second].firstCompleted()'
    _ = Future.race([first, first])  // error: write 'futures.firstCompleted()'
    _ = Future.all([first, first])  // error: write 'futures.sequence()'
    _ = Future.all(first, text)  // error: write 'all(first, second)'
    _ = all([first, first])  // error: write 'futures.sequence()'
}

private func jobs() {
    _ = Job(on: .background) { progress in 7 }  // error: write 'Job { succeed,
    _ = Job<Int, Never>(on: loop) { progress in 7 }  // error: write 'Job { succeed,
    _ = Job(async: { report in report(0.5) })  // error: expected argument type 'JobProgress'
}

private func ends() {
    loop.shutdown(.drain)  // error: member 'drain(within:)' expects argument of type 'Duration'
}

private func operators() throws {
    _ = try <<~{ try await load() }  // error: write 'try async { try await f() }.await()'
}
