// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTesting
import Testing

@Suite struct UntilDoneTests {
    private struct Odd: Error {}

    /// A task that waits for an hour is done at once, an hour later.
    @Test func aTaskIsCarriedToItsEnd() async throws {
        let loop = try Loop.manual()
        let last = try await loop.advanceUntilDone {
            var last = -1
            for await tick in loop.ticks(every: .seconds(60)).prefix(60) { last = tick.index }
            return last
        }
        #expect(last == 59 && loop.elapsedTime == .seconds(3600))
        await #expect(throws: Odd.self) { try await loop.advanceUntilDone { throw Odd() } }
    }

    /// A task that waits for what no time brings is reported, and cancelled.
    @Test func aTaskThatTimeCannotHelpIsReported() async throws {
        let loop = try Loop.manual()
        let other = try Loop.manual()
        let error = await #expect(throws: SwivelError.self) {
            try await loop.advanceUntilDone(patience: .milliseconds(20)) {
                for await _ in other.ticks(every: .seconds(1)) {}
            }
        }
        #expect(error?.code == .wouldDeadlock)
        // Its wait on the other loop is gone.
        while !other.pending.isEmpty {
            await other.advance(by: .zero)
        }
    }

    /// A task that never ends has a limited number of deadlines.
    @Test func anEndlessTaskIsReported() async throws {
        let loop = try Loop.manual()
        await #expect(throws: NeverIdle.self) {
            try await loop.advanceUntilDone(limit: 20) {
                for await _ in loop.ticks(every: .seconds(1)) {}
                try await Task.sleep(for: .seconds(1_000_000))
            }
        }
    }

    /// The caller's cancellation is the body's.
    @Test func aCancelReachesTheBody() async throws {
        let loop = try Loop.manual()
        let task = Task {
            try await loop.advanceUntilDone {
                // Nothing but a cancel ends this.
                while !Task.isCancelled { await Task.yield() }
                throw Odd()
            }
        }
        task.cancel()
        await #expect(throws: Odd.self) { try await task.value }
    }
}
