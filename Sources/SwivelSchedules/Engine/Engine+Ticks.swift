// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
internal import SwivelCore

/// A claim's way to a job, and from its end to a change.
extension Engine {
    /// How a tick is tried.
    struct Plan {
        let definition: Definition
        /// The schedule's next instant, if the tick ends.
        let next: Date?
        var limit: Duration { .seconds(min(max(definition.timeLimit, 0.001), 1e9)) }
    }

    enum Preparation {
        case fire(ScheduledTick, Plan)
        case skip(Change)
    }

    func prepare(_ claim: Claim, holder: String?) -> Preparation {
        do {
            let known = try definition(claim.definition)
            let (due, next) = known.missed.plan(
                claim.due, at: claim.now, isRetry: claim.failures > 0, hasBegun: claim.hasBegun,
                known.occurrences)
            guard let due else {
                telemetry.skips(claim)
                return .skip(change(.skipped, claim, holder, due: claim.due, next: next))
            }
            telemetry.begins(claim, due)
            return .fire(
                ScheduledTick(claim, due: due), Plan(definition: known.definition, next: next))
        } catch {
            // Its next instant is not known, so it is looked at again in a minute.
            telemetry.cannotRead(claim, error)
            var change = change(.failed, claim, holder, due: claim.due, next: nil)
            (change.error, change.wait) = (text(error), 60_000)
            return .skip(change)
        }
    }

    func conclude(
        _ outcome: Attempt.Outcome, _ attempt: Attempt, _ tick: ScheduledTick, _ plan: Plan
    ) -> Change {
        let (claim, holder) = (attempt.claim, attempt.holder)
        let change: Change
        switch outcome {
        case .succeeded:
            change = self.change(.done, claim, holder, due: tick.due, next: plan.next)
        case .failed(let error): change = failure(error, attempt, tick, plan)
        case .cancelled(.timeLimit):
            let reason = ScheduleError("the time limit of \(plan.limit) has passed")
            change = failure(reason, attempt, tick, plan)
        case .cancelled(.request):
            change = self.change(.cancelled, claim, holder, due: tick.due, next: plan.next)
        case .cancelled(.drain), .cancelled(.leaseLost):
            change = self.change(.returned, claim, holder, due: tick.due, next: nil)
        }
        telemetry.ends(tick, change)
        return change
    }

    private func failure(
        _ error: any Error, _ attempt: Attempt, _ tick: ScheduledTick, _ plan: Plan
    ) -> Change {
        let failures = attempt.claim.failures + 1
        let isLast = failures >= plan.definition.attempts
        var change = change(
            isLast ? .discarded : .failed, attempt.claim, attempt.holder, due: tick.due,
            next: isLast ? plan.next : nil)
        change.error = text(error)
        if !isLast { change.wait = plan.definition.wait(after: failures).wholeMilliseconds }
        return change
    }

    func change(
        _ kind: Change.Kind, _ claim: Claim, _ holder: String?, due: Date, next: Date?
    ) -> Change {
        Change(
            kind: kind, id: claim.id, number: claim.number, failures: claim.failures,
            holder: holder, claimed: claim.due.microseconds, due: due.microseconds,
            next: next?.microseconds)
    }

    /// An error's text for the database, which does not store the character zero.
    private func text(_ error: any Error) -> String {
        String("\(error)".replacing("\0", with: "?").prefix(1_000))
    }
}
#endif
