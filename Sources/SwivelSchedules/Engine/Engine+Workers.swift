// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
internal import SwivelCore

/// The sessions in whose transactions ticks fire.
extension Engine {
    func work() async {
        while !isDraining {
            // Control connects first: without it no lease is renewed.
            if !hasControl {
                await waitForControl()
            } else if let session = await connect(while: { !isDraining && hasControl }) {
                await use(session) { try await fireTicks(session) }
            }
        }
    }

    private func fireTicks(_ session: any StoreSession) async throws {
        // After a transaction that could not be committed, ticks fire alone for a while, so that
        // the one at fault fails alone.
        var alone = 0
        while !isDraining {
            var hasFired = false
            for (batch, names) in jobs.batches where !isDraining {
                switch try await fire(names, alone > 0 ? 1 : batch, session) {
                case .none: break
                case .committed:
                    hasFired = true
                    alone = max(0, alone - 1)
                case .refused:
                    hasFired = true
                    alone = batch
                }
            }
            if !hasFired { await idle() }
        }
    }

    private enum Firing {
        case none, committed
        /// The database did not commit, and nothing has happened.
        case refused
    }

    /// Fires ticks that are due and that no other process has claimed, in one transaction.
    ///
    /// The claim is a lock on the schedules' rows. It ends with the transaction: at the commit, or
    /// when the process dies, or when the database has received nothing from it for the time of the
    /// lease. The jobs' effects, the ticks' rows and the next instants become visible together,
    /// at the commit. Before it another process fires the ticks anew; after it no process does.
    private func fire(
        _ names: [String], _ batch: Int, _ session: any StoreSession
    ) async throws -> Firing {
        let claims = try await session.begin(names, limit: batch)
        telemetry.claims(claims.count)
        guard !claims.isEmpty else {
            try await session.rollback()
            return .none
        }
        wakeOneWorker()
        let batchInWork = Batch()
        let beats = loop.schedule(every: settings.lease / 3) { _ in
            Task { await self.beat(session, batchInWork) }
        }
        defer { beats.cancel() }
        let began = loop.now
        var fired: [Fired] = []
        for claim in claims {
            // Those that are left are due again at the commit.
            if isDraining || !fired.isEmpty && loop.now - began > settings.lease / 10 { break }
            fired.append(try await fire(claim, session, batchInWork))
        }
        do {
            try await session.commit(fired.map(\.change))
        } catch let error as ScheduleError {
            telemetry.cannotCommit(error)
            guard fired.count == 1 else { return .refused }
            guard let failed = fired[0].failure(self, error) else {
                expect(after: Self.secondLook)
                return .none
            }
            if try await !session.apply([failed]).isEmpty { finish(failed) }
            if let wait = failed.wait { expect(after: .milliseconds(wait)) }
            return .refused
        }
        expectNext(fired.map(\.change), claims[0].now, began)
        // Jobs that ignore their cancellation keep this place.
        for one in fired { await one.attempt?.end() }
        return .committed
    }

    private func beat(_ session: any StoreSession, _ batch: Batch) async {
        do {
            try await session.beat()
        } catch {
            // The claims have ended: another process may begin with the tick at any time.
            if let attempt = batch.attempt { cancel(attempt, because: .leaseLost) }
        }
    }

    private func fire(
        _ claim: Claim, _ session: any StoreSession, _ batch: Batch
    ) async throws -> Fired {
        let (tick, plan): (ScheduledTick, Plan)
        switch prepare(claim, holder: nil) {
        case .skip(let change): return Fired(change: change)
        case .fire(let readyTick, let readyPlan): (tick, plan) = (readyTick, readyPlan)
        }
        guard let body = jobs.transactional[claim.job] else {
            throw ScheduleError("a tick of the job '\(claim.job)' was not asked for")
        }
        let transaction = ScheduleTransaction(session, limit: plan.limit)
        let attempt = Attempt(claim, now: loop.now)
        batch.attempt = attempt
        var outcome = await perform(attempt, tick, limit: plan.limit) {
            try await body(tick, transaction)
        }
        // A job that is given up may wait for a statement that has no answer.
        let closing =
            attempt.hasEnded
            ? nil : loop.schedule(after: settings.grace) { Task { await session.close() } }
        defer { closing?.cancel() }
        do {
            if try await !transaction.end(keeping: outcome.isSuccess), outcome.isSuccess {
                let error = ScheduleError("a statement has failed in the job's transaction")
                outcome = attempt.cancel.map { .cancelled($0) } ?? .failed(error)
            }
        } catch let error as ScheduleError {
            // The claim is lost with the transaction: the failure is written elsewhere.
            if case .cancelled = outcome {} else { outcome = .failed(error) }
            finish(conclude(outcome, attempt, tick, plan))
            throw error
        }
        let change = conclude(outcome, attempt, tick, plan)
        return Fired(change: change, attempt: attempt, tick: tick, plan: plan)
    }

    /// The ticks that follow these may be due before those that the timer waits for.
    private func expectNext(_ changes: [Change], _ now: Date, _ began: LoopClock.Instant) {
        let passed = loop.now - began
        for change in changes {
            if let wait = change.wait { expect(after: .milliseconds(wait)) }
            guard let next = change.next else { continue }
            expect(after: max(.microseconds(next - now.microseconds) - passed, .zero))
        }
    }

    // MARK: Idle workers

    private func waitForControl() async {
        await withCheckedContinuation { waiter in
            // A call may suspend on its way, so the last look is here.
            if hasControl || isDraining { waiter.resume() } else { controlWaiters.append(waiter) }
        }
    }

    private func idle() async {
        await withCheckedContinuation { waiter in
            if hasWake || isDraining {
                hasWake = false
                waiter.resume()
            } else {
                idleWorkers.append(waiter)
            }
        }
    }

    func wakeOneWorker() {
        if let worker = idleWorkers.popLast() { worker.resume() } else { hasWake = true }
    }

    func wakeAllWorkers() {
        hasWake = idleWorkers.isEmpty
        let workers = idleWorkers + controlWaiters
        (idleWorkers, controlWaiters) = ([], [])
        for worker in workers { worker.resume() }
    }
}

/// A tick whose job has run, and whose change is not yet committed.
private struct Fired {
    let change: Change
    var attempt: Attempt?
    var tick: ScheduledTick?
    var plan: Engine.Plan?

    /// The change if the transaction of this tick alone could not be committed.
    func failure(_ engine: isolated Engine, _ error: any Error) -> Change? {
        guard let attempt, let tick, let plan else { return nil }
        return engine.conclude(.failed(error), attempt, tick, plan)
    }
}

/// The ticks of one transaction. **Thread:** the engine's.
private final class Batch: @unchecked Sendable {
    // because the engine's loop alone uses it.
    /// At the tick whose job runs.
    var attempt: Attempt?
}
#endif
