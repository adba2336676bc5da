// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

@Suite(.offPool) struct RetryTests {
    private struct Odd: Error, Equatable { let attempt: Int }

    /// A success is returned, with the waits that went before it.
    @Test func aLaterAttemptSucceeds() async throws {
        let loop = try manualLoop()
        let backoff = Backoff.exponential(
            base: .milliseconds(100), limit: .milliseconds(300), jitter: 1...1)
        let instants = Shared<[Int]>()
        let result = try await loop.advanceUntilDone {
            try await retry(attempts: 6, backoff: backoff, on: loop) { attempt in
                instants.append(loop.elapsed)
                if attempt < 5 { throw Odd(attempt: attempt) }
                return "done"
            }
        }
        #expect(result == "done")
        #expect(instants.value == [0, 100, 300, 600, 900])
        #expect(loop.pending.isEmpty)
    }

    /// The last error is thrown when the attempts are over.
    @Test func theLastErrorIsThrown() async throws {
        let loop = try manualLoop()
        let count = Counter()
        await #expect(throws: Odd(attempt: 3)) {
            try await loop.advanceUntilDone {
                try await retry(attempts: 3, backoff: .constant(.seconds(1)), on: loop) {
                    throw Odd(attempt: count.add())
                }
            }
        }
        #expect(loop.elapsed == 2000)
    }

    /// An error that is not worth it is thrown at once.
    @Test func aHopelessErrorIsThrownAtOnce() async throws {
        let loop = try manualLoop()
        await #expect(throws: Odd(attempt: 1)) {
            try await retry(on: loop, if: { !($0 is Odd) }) { attempt in
                throw Odd(attempt: attempt)
            }
        }
    }

    /// A cancel ends the wait, and a body's cancellation is not an error to try again.
    @Test func aCancelEndsTheWait() async throws {
        let loop = try manualLoop()
        let task = Task {
            try await retry(backoff: .constant(.seconds(3600)), on: loop) { throw Odd(attempt: 0) }
        }
        try await loop.waitForPending()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        loop.runDue()
        #expect(loop.pending.isEmpty)
        await #expect(throws: CancellationError.self) {
            try await retry(on: loop) { throw CancellationError() }
        }
    }

    /// Jitter stays within its part of the wait, differs, and is the seed's.
    @Test func jitterIsTheSeeds() async throws {
        func waits(seed: UInt64) async throws -> [Int] {
            let loop = try manualLoop()
            let instants = Shared<[Int]>()
            let backoff = Backoff.exponential(
                base: .seconds(1), factor: 1, jitter: 0.5...1, seed: seed)
            await #expect(throws: Odd.self) {
                try await loop.advanceUntilDone {
                    try await retry(attempts: 20, backoff: backoff, on: loop) {
                        instants.append(loop.elapsed)
                        throw Odd(attempt: 0)
                    }
                }
            }
            return zip(instants.value, instants.value.dropFirst()).map { $1 - $0 }
        }
        let first = try await waits(seed: 1)
        #expect(try await waits(seed: 1) == first)
        #expect(first.count == 19 && Set(first).count > 10)
        #expect(first.allSatisfy { (499...1000).contains($0) })
    }

    /// Settings that make no sense trap.
    @Test func senselessSettingsTrap() async {
        await #expect(processExitsWith: .failure) { _ = Backoff.exponential(factor: 0.5) }
        await #expect(processExitsWith: .failure) { _ = Backoff.constant(.seconds(-1)) }
        await #expect(processExitsWith: .failure) { try await retry(attempts: 0) {} }
    }
}
