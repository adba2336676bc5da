// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
internal import SwivelCore

/// The session in control.
extension Engine {
    /// How often the store is asked for changes if it cannot notify the session.
    private static let poll = Duration.seconds(1)
    /// A row that another process works on is looked at again.
    static let secondLook = Duration.seconds(1)

    func control() async {
        // A process that ends connects only to write what its jobs have done.
        while let session = await connect(while: {
            !isOver && (!isDraining || !held.isEmpty || !finished.isEmpty)
        }) {
            let poll = loop.schedule(every: session.canListen ? settings.lease : Self.poll) {
                [weak self] in self?.assumeIsolated { $0.poll() }
            }
            hasControl = true
            wakeAllWorkers()
            await use(session) { try await serve(session) }
            hasControl = false
            poll.cancel()
        }
    }

    private func poll() {
        isNotified = true
        wakeControl()
        wakeOneWorker()
    }

    /// Runs until the process is drained, or throws.
    private func serve(_ session: any StoreSession) async throws {
        try await session.listen()
        var maintained = loop.now
        (isNotified, isDue) = (true, true)
        wakeControl()
        for await _ in wakes {
            if isOver { return }
            try await write(session)
            if isBeatDue { try await renew(session) }
            let isNotified = isNotified
            self.isNotified = false
            if isNotified, !running.isEmpty { try await cancelRequested(session) }
            if isDraining {
                if held.isEmpty, finished.isEmpty { return }
                continue
            }
            if isNotified || isDue { (isDue, needsPlan) = (false, true) }
            let isFull = try await lease(session)
            if needsPlan {
                // While all places are taken, only the workers' ticks matter.
                try await plan(session, isFull ? Array(jobs.transactional.keys) : jobs.names)
                needsPlan = isFull
            }
            if loop.now - maintained > .seconds(60) {
                maintained = loop.now
                if try await maintain(session) {
                    // There is more to remove.
                    maintained = loop.now - .seconds(60)
                    expect(after: .milliseconds(200))
                }
            }
        }
    }

    /// Writes what became of ticks. A change stays in the list until it is written.
    private func write(_ session: any StoreSession) async throws {
        var isAlone = false
        var locked: [Change] = []
        defer { finished += locked }
        while !finished.isEmpty, !isAlone || locked.isEmpty {
            if isBeatDue { try await renew(session) }
            let changes = Array(finished.prefix(isAlone ? 1 : 1_000))
            var lockedIDs: Set<Int64> = []
            do {
                lockedIDs = try await session.apply(changes)
            } catch let error as ScheduleError {
                // One that can never be written must not hold up the others: each is tried alone.
                guard changes.count == 1 else {
                    isAlone = true
                    continue
                }
                // Its tick fires again when its claim has ended.
                telemetry.cannotWrite(changes[0], error)
                store.abandon([changes[0].id])
            }
            finished.removeFirst(changes.count)
            for change in changes {
                if lockedIDs.contains(change.id) { locked.append(change) } else { forget(change) }
            }
        }
        if !locked.isEmpty { loop.schedule(after: Self.secondLook, wakeControl) }
    }

    /// A change is written. The store does not notify a process of its own changes, so the next
    /// instant has to be found out.
    private func forget(_ change: Change) {
        if held[change.id]?.holder == change.holder { held[change.id] = nil }
        needsPlan = true
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

    /// Cancels the jobs that an administrator wants to be cancelled.
    private func cancelRequested(_ session: any StoreSession) async throws {
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
        let free = min(settings.concurrency - slots, 10_000)
        if free <= 0 { return true }
        leases += 1
        let holder = "\(holder)/\(leases)"
        let claims = try await session.lease(names, limit: free, to: holder, for: settings.lease)
        telemetry.claims(claims.count)
        for claim in claims {
            let attempt = Attempt(claim, holder: holder, now: loop.now)
            held[claim.id] = attempt
            if let known = finished.firstIndex(where: {
                ($0.id, $0.number, $0.failures) == (claim.id, claim.number, claim.failures)
            }) {
                // The lease has ended before the tick's end could be written.
                finished[known].holder = holder
            } else if isDraining {
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
        // A lease that another one has replaced has ended.
        if let holder = change.holder, held[change.id]?.holder != holder { return }
        finished.append(change)
        wakeControl()
    }

    /// Sets the timer for the next tick.
    private func plan(_ session: any StoreSession, _ names: [String]) async throws {
        guard let delay = try await session.timeToNext(of: names) else { return }
        // A tick that is overdue is another process's, which may die.
        let wait = delay > .zero ? delay : min(settings.lease / 10, Self.secondLook)
        expect(after: wait)
    }

    /// The work of each minute. True: there is more of it.
    private func maintain(_ session: any StoreSession) async throws -> Bool {
        let unknown = try await session.unknown(jobs.names)
        if !unknown.isEmpty { telemetry.doesNotKnow(unknown) }
        guard let age = settings.keepsTicks else { return false }
        return try await session.prune(after: age, limit: Self.pruned) == Self.pruned
    }

    /// The number of ticks that are removed at a time.
    private static let pruned = 5_000
}
#endif
