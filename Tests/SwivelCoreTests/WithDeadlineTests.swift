// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// `withDeadline` in virtual time, in tasks that run on the loop.
@Suite(.offPool) struct WithDeadlineTests {
    private enum Failure: Error { case late, odd }

    /// A result that cannot be copied.
    private struct Ticket: ~Copyable {
        let number: Int
    }

    /// Not sendable: it stays with the caller.
    private final class Counts {
        var bodies = 0
    }

    /// T6
    @Test func aLimitBeyondAllInstantsSaturates() async {
        let longest = Duration(attoseconds: .max)
        let wasCancelled = await withDeadline(in: longest) { Task.isCancelled }
        let other = await withDeadline(in: longest, clock: .suspending) { Task.isCancelled }
        #expect(!wasCancelled && !other)
        for shortest in [.zero - longest, Duration(attoseconds: .min)] {
            let isCancelled = await withDeadline(in: shortest) {
                while !Task.isCancelled { await Task.yield() }
                return true
            }
            #expect(isCancelled)
        }
    }

    /// The clocks whose time a loop keeps.
    enum Time: CaseIterable, Sendable {
        case continuous, suspending, loop, current

        /// Runs `body` and cancels it `limit` from now.
        nonisolated(nonsending) func limit<R>(
            _ limit: Duration, tolerance: Duration? = nil, on loop: Loop,
            _ body: nonisolated(nonsending) () async -> R
        ) async -> R {
            switch self {
            case .continuous: await withDeadline(in: limit, tolerance: tolerance, body: body)
            case .suspending:
                await withDeadline(
                    in: limit, tolerance: tolerance, clock: SuspendingClock(), body: body)
            case .loop:
                await withDeadline(
                    loop.now + limit, tolerance: tolerance, clock: loop.clock, body: body)
            case .current:
                await withDeadline(
                    in: limit, tolerance: tolerance, clock: LoopClock(), body: body)
            }
        }
    }

    /// Runs `body` in a task on the loop, which gets as far as it can without time.
    private func start<R: Sendable>(
        on loop: Loop, _ body: @escaping @Sendable () async -> R
    ) -> (task: Task<Void, Never>, result: Shared<R?>) {
        let result = Shared<R?>(nil)
        let task = Task(executorPreference: loop.taskExecutor) { result.value = await body() }
        loop.runDue()
        return (task, result)
    }

    /// A body that is quick gives its result, and the timer is gone.
    @Test(arguments: Time.allCases) func aQuickBodyGivesItsValue(_ time: Time) throws {
        let loop = try manualLoop()
        let (_, result) = start(on: loop) {
            await time.limit(.seconds(1), on: loop) {
                #expect(loop.metrics.pending == 1)
                return 7
            }
        }
        #expect(result.value == 7 && loop.pending.isEmpty && loop.metrics.pending == 0)
    }

    /// A body that is slow is cancelled when the deadline has come, to the nanosecond; the caller's
    /// task is not.
    @Test(arguments: Time.allCases) func aSlowBodyIsCancelled(_ time: Time) throws {
        let loop = try manualLoop()
        let (_, result) = start(on: loop) {
            let end = await time.limit(.seconds(2), on: loop) {
                await untilCancelled()
                return loop.now
            }
            #expect(!Task.isCancelled)
            return end
        }
        loop.advance(by: .seconds(2) - .nanoseconds(1))
        #expect(result.value == nil && loop.pending.count == 1)
        loop.advance(by: .nanoseconds(1))
        #expect(result.value == epoch + .seconds(2))
        #expect(loop.pending.isEmpty && loop.metrics.fired == 1)
    }

    /// An instant of a real clock is as far away in virtual time as it is in real time.
    @Test func aRealInstantBecomesAVirtualOne() throws {
        let loop = try manualLoop()
        let (_, result) = start(on: loop) {
            let end = ContinuousClock.now + .seconds(3600)
            return await withDeadline(end) {
                await untilCancelled()
                return loop.now
            }
        }
        loop.advance(by: .seconds(3600))
        let end = try #require(result.value)
        #expect(end > epoch && end <= epoch + .seconds(3600))
    }

    /// The error has its type, before the deadline and after it, without a wrapper.
    @Test func errorsKeepTheirType() throws {
        let loop = try manualLoop()
        let (_, failures) = start(on: loop) {
            var failures: [Failure] = []
            do throws(Failure) {
                try await withDeadline(in: .seconds(1)) { () async throws(Failure) in throw .odd }
            } catch {
                failures.append(error)
            }
            do throws(Failure) {
                try await withDeadline(loop.now + .seconds(1), clock: loop.clock) {
                    () async throws(Failure) in
                    await untilCancelled()
                    throw .late
                }
            } catch {
                failures.append(error)
            }
            return failures
        }
        loop.advance(by: .seconds(1))
        #expect(failures.value == [.odd, .late])
    }

    /// The result need not be copied, nor the body be sendable.
    @Test func aResultIsMovedOut() throws {
        let loop = try manualLoop()
        let (_, number) = start(on: loop) {
            let counts = Counts()
            let ticket = await withDeadline(in: .seconds(1)) {
                counts.bodies += 1
                return Ticket(number: 3)
            }
            return ticket.number + counts.bodies
        }
        #expect(number.value == 4)
    }

    /// A value that comes after the deadline counts; a body that ignores its cancellation is waited
    /// for.
    @Test func aBodyThatIgnoresItsCancellationIsWaitedFor() throws {
        let loop = try manualLoop()
        let waiting = Shared<CheckedContinuation<Void, Never>?>(nil)
        let (_, result) = start(on: loop) {
            await withDeadline(in: .seconds(1)) {
                await withCheckedContinuation { waiting.value = $0 }
                return Task.isCancelled
            }
        }
        loop.advance(by: .seconds(5))
        #expect(result.value == nil && loop.metrics.fired == 1)
        waiting.value?.resume()
        loop.runDue()
        #expect(result.value == true)
    }

    /// A deadline that has passed cancels the body before it starts, and needs no timer.
    @Test(arguments: Time.allCases) func aPassedDeadlineCancelsAtOnce(_ time: Time) throws {
        let loop = try manualLoop()
        let (_, result) = start(on: loop) {
            await [Duration.zero, .seconds(-1)].asyncMap { limit in
                await time.limit(limit, on: loop) { Task.isCancelled && loop.metrics.pending == 0 }
            }
        }
        #expect(result.value == [true, true])
    }

    /// The caller's cancel reaches the body, and ends the time.
    @Test func theCallersCancelReachesTheBody() throws {
        let loop = try manualLoop()
        let (task, result) = start(on: loop) {
            await withDeadline(in: .seconds(1)) {
                await untilCancelled()
                return loop.now
            }
        }
        #expect(loop.pending.count == 1)
        task.cancel()
        loop.runDue()
        #expect(result.value == epoch && loop.pending.isEmpty && loop.metrics.fired == 0)
    }

    /// A task that is cancelled runs the body itself.
    @Test func aCancelledTaskNeedsNoTimer() throws {
        let loop = try manualLoop()
        let (_, result) = start(on: loop) {
            withUnsafeCurrentTask { $0?.cancel() }
            return await withDeadline(in: .seconds(1)) {
                Task.isCancelled && loop.metrics.pending == 0
            }
        }
        #expect(result.value == true)
    }

    /// The tolerance is the timer's leeway.
    @Test(arguments: Time.allCases) func theToleranceIsALeeway(_ time: Time) throws {
        let loop = try manualLoop()
        let limit = Duration.seconds(1) + .nanoseconds(1)
        let (_, result) = start(on: loop) {
            await [Duration.seconds(-1), .milliseconds(100)].asyncMap { tolerance in
                let begin = loop.now
                return await time.limit(limit, tolerance: tolerance, on: loop) {
                    await untilCancelled()
                    return begin.duration(to: loop.now)
                }
            }
        }
        loop.advance(by: .seconds(3))
        let lengths = try #require(result.value)
        #expect(lengths[0] == limit)
        #expect(lengths[1] > limit && lengths[1] <= limit + .milliseconds(100))
    }

    /// T6: it never passes, and ends with the body.
    @Test(arguments: [LoopClock.Instant.never, epoch + .seconds(Int64.max)])
    func aDeadlineBeyondTheClockNeverPasses(_ end: LoopClock.Instant) throws {
        let loop = try manualLoop()
        let (task, result) = start(on: loop) {
            await withDeadline(end, clock: loop.clock) {
                await untilCancelled()
                return 1
            }
        }
        loop.advance(by: .seconds(1_000_000_000))
        #expect(result.value == nil)
        task.cancel()
        loop.runDue()
        #expect(result.value == 1 && loop.pending.isEmpty)
    }
}

extension Array {
    fileprivate nonisolated(nonsending) func asyncMap<R>(
        _ transform: nonisolated(nonsending) (Element) async -> R
    ) async -> [R] {
        var results: [R] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}
