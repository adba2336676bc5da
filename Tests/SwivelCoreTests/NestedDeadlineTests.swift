// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Deadlines within deadlines: the first to pass cancels, and the others need no timer.
@Suite(.offPool) struct NestedDeadlineTests {
    /// When the bodies of nested deadlines were cancelled, in milliseconds, and how many timers
    /// there were in the innermost body.
    private struct Course: Equatable, Sendable {
        var inner = -1
        var outer = -1
        var timers = 0
    }

    private typealias Body = nonisolated(nonsending) () async -> Void

    /// Runs a body within two deadlines that `nested` makes, in a task on a manual loop, for ten
    /// seconds.
    private func course(
        _ nested: @escaping @Sendable (Loop, _ inner: Body) async -> Void
    ) throws -> Course {
        let loop = try manualLoop()
        let course = Shared(Course())
        let task = Task(executorPreference: loop.taskExecutor) {
            await nested(loop) {
                course.update { $0.timers = Int(loop.metrics.pending) }
                await untilCancelled()
                course.update { $0.inner = loop.elapsed }
            }
            course.update { $0.outer = loop.elapsed }
        }
        loop.advance(by: .seconds(10))
        #expect(ended(task) != nil && loop.pending.isEmpty && loop.metrics.pending == 0)
        return course.value
    }

    /// The inner deadline is later: the outer one's timer is enough.
    @Test func aLaterDeadlineNeedsNoTimer() throws {
        let course = try course { loop, body in
            await withDeadline(in: .seconds(2)) {
                let outer = withUnsafeCurrentTask { $0 }
                for limit in [Duration.seconds(2), .seconds(3), .seconds(1_000_000)] {
                    // No child task either.
                    await withDeadline(in: limit) {
                        #expect(withUnsafeCurrentTask { $0 == outer })
                    }
                }
                await withDeadline(in: .seconds(3), body: body)
                #expect(Task.isCancelled)
            }
        }
        #expect(course == Course(inner: 2000, outer: 2000, timers: 1))
    }

    /// The inner deadline is earlier: it has a timer, and leaves the outer body alone.
    @Test func anEarlierDeadlineCancelsItsOwnBody() throws {
        let course = try course { loop, body in
            await withDeadline(in: .seconds(3)) {
                await withDeadline(in: .seconds(1), body: body)
                #expect(!Task.isCancelled && loop.elapsed == 1000)
                await untilCancelled()
            }
        }
        #expect(course == Course(inner: 1000, outer: 3000, timers: 2))
    }

    /// Each deadline around the body counts, not only the next one.
    @Test func anyDeadlineAroundTheBodyCounts() throws {
        let other = try manualLoop()
        let course = try course { loop, body in
            await withDeadline(in: .seconds(2)) {
                // Its time does not move.
                await withDeadline(in: .seconds(1), clock: other.clock) {
                    await withDeadline(in: .init(count: 1), clock: OwnClock()) {
                        await withDeadline(in: .seconds(5), body: body)
                    }
                }
            }
        }
        #expect(course == Course(inner: 2000, outer: 2000, timers: 1))
        #expect(other.pending.isEmpty)
    }

    /// On a manual loop all clocks have one time; real clocks are compared with themselves only.
    @Test func clocksMayDiffer() async throws {
        let virtual = try course { loop, body in
            await withDeadline(in: .seconds(2), clock: SuspendingClock()) {
                await withDeadline(in: .seconds(3), clock: loop.clock, body: body)
            }
        }
        #expect(virtual == Course(inner: 2000, outer: 2000, timers: 1))
        let loop = try threadedLoop()
        let timers = await Task(executorPreference: loop.taskExecutor) {
            await withDeadline(in: .seconds(3600)) {
                await withDeadline(in: .seconds(7200), clock: SuspendingClock()) {
                    await withDeadline(in: .seconds(7200), clock: loop.clock) {
                        await withDeadline(in: .seconds(9999)) { loop.metrics.pending }
                    }
                }
            }
        }.value
        #expect(timers == 3 && loop.metrics.pending == 0)
        await loop.shutdown()
    }

    /// A tolerance is part of the comparison: the outer body may be cancelled too late.
    @Test func aLenientDeadlineDoesNotReplaceAStrictOne() throws {
        let loop = try manualLoop()
        let timers = Shared<[UInt64]>()
        Task(executorPreference: loop.taskExecutor) {
            await withDeadline(in: .seconds(2), tolerance: .seconds(3)) {
                for (limit, tolerance) in [(3, 0), (3, 1), (3, 2), (5, 0), (2, 3), (2, 2)] {
                    await withDeadline(in: .seconds(limit), tolerance: .seconds(tolerance)) {
                        timers.append(UInt64(loop.metrics.pending))
                    }
                }
            }
        }
        loop.runDue()
        #expect(timers.value == [2, 2, 1, 1, 1, 2] && loop.pending.isEmpty)
    }

    /// The deadline around a body does not cancel a task that the body starts.
    @Test func aTaskOfTheBodyHasItsOwnTimer() throws {
        let loop = try manualLoop()
        let ends = Shared<[Int]>()
        Task(executorPreference: loop.taskExecutor) {
            await withDeadline(in: .seconds(1)) {
                Task(executorPreference: loop.taskExecutor) {
                    await withDeadline(in: .seconds(2)) {
                        await untilCancelled()
                        ends.append(loop.elapsed)
                    }
                }
                async let child: Void = withDeadline(in: .seconds(3)) {
                    await untilCancelled()
                    ends.append(loop.elapsed)
                }
                await child
            }
        }
        loop.advance(by: .seconds(5))
        #expect(ends.value == [1000, 2000] && loop.pending.isEmpty)
    }

    /// A limit that may be moved does not replace a deadline: nothing is lost when it is moved.
    @Test func aTimeoutThatIsExtendedKeepsTheDeadline() throws {
        let course = try course { loop, body in
            try? await withTimeout(.seconds(2), on: loop) { timeout in
                await withDeadline(in: .seconds(3)) {
                    timeout.extend(by: .seconds(5))
                    await body()
                }
                #expect(!timeout.isExpired && !Task.isCancelled)
                timeout.restart()
                await untilCancelled()
                #expect(timeout.isExpired)
            }
        }
        #expect(course == Course(inner: 3000, outer: 5000, timers: 2))
    }

    /// A limit within a deadline fails as ever; the deadline counts within the limit.
    @Test func aTimeoutWithinADeadlineKeepsItsError() throws {
        let codes = Shared<[SwivelError.Code?]>()
        let course = try course { loop, body in
            await withDeadline(in: .seconds(3)) {
                for limit in [Duration.seconds(1), .seconds(5)] {
                    do {
                        try await withTimeout(limit, on: loop) {
                            await withDeadline(in: .seconds(4), body: body)
                            try Task.checkCancellation()
                        }
                    } catch {
                        codes.append((error as? SwivelError)?.code)
                    }
                }
            }
        }
        #expect(codes.value == [.timedOut, nil])
        // The second body's deadline is later than the outer one.
        #expect(course == Course(inner: 3000, outer: 3000, timers: 2))
    }
}
