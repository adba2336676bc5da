// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
internal import SwivelCore

/// The session in control.
extension Engine {
    /// Without a session that is told of changes, the store is asked this often.
    private static let poll = Duration.seconds(1)
    /// A row that another process works on is looked at again.
    private static let secondLook = Duration.seconds(1)

    func control() async {
        while let session = await connect() {
            let began = loop.now
            let poll = loop.schedule(every: session.isTold ? settings.lease : Self.poll) {
                [weak self] in self?.assumeIsolated { $0.poll() }
            }
            do { try await serve(session) } catch { seen.losesConnection(error) }
            poll.cancel()
            reconnect.lost(began: began)
            await session.close()
        }
    }

    private func poll() {
        isNotified = true
        wakeControl()
    }

    /// Runs until the process is drained, or throws.
    private func serve(_ session: any StoreSession) async throws {
        try await session.listen()
        var lookedAround = loop.now
        (isNotified, isDue) = (true, true)
        wakeControl()
        for await _ in wakes {
            if isOver { return }
            try await write(session)
            if isBeatDue { try await renew(session) }
            let isNotified = isNotified
            self.isNotified = false
            if isNotified, !running.isEmpty { try await heed(session) }
            if isDraining {
                if held.isEmpty, finished.isEmpty { return }
                continue
            }
            if isNotified { isDue = true }
            if isDue { wakeOneWorker() }
            // While all places are taken, the next job that ends comes here again.
            if try await !lease(session), isDue || hasWritten {
                (isDue, hasWritten) = (false, false)
                try await plan(session)
            }
            if loop.now - lookedAround > .seconds(60) {
                lookedAround = loop.now
                if try await lookAround(session) {
                    // There is more to remove.
                    lookedAround = loop.now - .seconds(60)
                    expect(after: .milliseconds(200))
                }
            }
        }
    }

    /// Writes what became of ticks.
    private func write(_ session: any StoreSession) async throws {
        while !finished.isEmpty {
            let changes = finished
            finished = []
            var locked: Set<Int64> = []
            do {
                locked = try await session.apply(changes)
            } catch let error as ScheduleError {
                // One of them can never be written: its tick fires again when its claim has ended.
                if changes.count == 1 {
                    seen.cannotWrite(changes[0], error)
                } else {
                    for change in changes { locked.formUnion(try await write(change, session)) }
                }
            } catch {
                finished = changes + finished
                throw error
            }
            for change in changes where !locked.contains(change.id) { forget(change) }
            guard locked.isEmpty else {
                finished += changes.filter { locked.contains($0.id) }
                loop.schedule(after: Self.secondLook, wakeControl)
                return
            }
        }
    }

    private func write(
        _ change: Change, _ session: any StoreSession
    ) async throws -> Set<Int64> {
        do {
            return try await session.apply([change])
        } catch let error as ScheduleError {
            seen.cannotWrite(change, error)
            return []
        }
    }

    /// A change is written: the tick's next instant, or its next attempt, is this process's to
    /// know, because the store tells it of others' changes alone.
    private func forget(_ change: Change) {
        if held[change.id]?.holder == change.holder { held[change.id] = nil }
        hasWritten = true
    }

    private func renew(_ session: any StoreSession) async throws {
        isBeatDue = false
        if held.isEmpty { return }
        let now = loop.now
        let leases = held.compactMapValues(\.holder)
        let kept = try await session.renew(leases, for: settings.lease)
        for (id, attempt) in held {
            if kept.contains(id) {
                attempt.renewed = now
            } else if attempt.renewed < now {
                cancel(attempt, because: .leaseLost)
            }
        }
    }

    /// Cancels the jobs for which somebody has asked.
    private func heed(_ session: any StoreSession) async throws {
        let attempts = running.values.filter { $0.cancel == nil }
        let asked = try await session.cancelled(attempts.map(\.claim.id))
        for attempt in attempts where asked[attempt.claim.id] == attempt.claim.number {
            cancel(attempt, because: .request)
        }
    }

    /// Claims due ticks for the places that are free. True: all are taken now.
    private func lease(_ session: any StoreSession) async throws -> Bool {
        let names = Array(jobs.leased.keys)
        if names.isEmpty { return false }
        let free = settings.concurrency - slots
        if free <= 0 { return true }
        leases += 1
        let holder = "\(holder)/\(leases)"
        let claims = try await session.lease(names, limit: free, to: holder, for: settings.lease)
        seen.claims(claims.count)
        for claim in claims {
            let attempt = Attempt(claim, holder: holder, now: loop.now)
            held[claim.id] = attempt
            if isDraining {
                finish(change(.returned, claim, holder, due: claim.due, next: nil))
            } else {
                slots += 1
                Task { await self.fire(attempt) }
            }
        }
        return claims.count == free
    }

    /// Fires a leased tick.
    private func fire(_ attempt: Attempt) async {
        let claim = attempt.claim
        switch prepare(claim, holder: attempt.holder) {
        case .skip(let change): finish(change)
        case .fire(let tick, let plan):
            let body = jobs.leased[claim.job]
            let outcome = await perform(attempt, tick, limit: plan.limit) { try await body?(tick) }
            finish(conclude(outcome, attempt, tick, plan))
            // A job that ignores its cancellation keeps its place.
            await attempt.end()
        }
        slots -= 1
        wakeControl()
    }

    /// Writes a change in a while.
    func finish(_ change: Change) {
        finished.append(change)
        wakeControl()
    }

    /// Sets the timer for the next tick.
    private func plan(_ session: any StoreSession) async throws {
        guard let delay = try await session.timeToNext(of: jobs.names) else { return }
        // A tick that is overdue is another process's, which may die.
        let wait = delay > .zero ? delay : min(settings.lease / 10, Self.secondLook)
        expect(after: wait)
    }

    /// The work of each minute. True: there is more of it.
    private func lookAround(_ session: any StoreSession) async throws -> Bool {
        let unknown = try await session.unknown(jobs.names)
        if !unknown.isEmpty { seen.doesNotKnow(unknown) }
        guard let age = settings.keepsTicks else { return false }
        return try await session.prune(after: age, limit: Self.pruned) == Self.pruned
    }

    /// The number of ticks that are removed at a time.
    private static let pruned = 5_000
}
#endif
