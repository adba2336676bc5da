// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
package import Logging
internal import Metrics
internal import SwivelCore
internal import Tracing

/// Logs, metrics and spans of a process's schedules.
package struct Telemetry: Sendable {
    private let logger: Logger
    private let claims = Counter(label: "swivel_schedules_claims")
    private let lag = Metrics.Timer(label: "swivel_schedules_lag")
    private let attempts = Counter(label: "swivel_schedules_attempts")
    private let runningJobs = Meter(label: "swivel_schedules_running")
    private let failures = Counter(label: "swivel_schedules_failures")
    private let skipped = Counter(label: "swivel_schedules_skipped")
    private let connects = Counter(label: "swivel_schedules_connects")

    package init(_ logger: Logger) { self.logger = logger }

    // MARK: The connection

    func connected() {
        connects.increment()
        logger.debug("connected to the schedules' database")
    }

    func failsToConnect(_ error: any Error) {
        connects.increment()
        logger.error("no connection to the schedules' database", metadata: ["error": "\(error)"])
    }

    func losesConnection(_ error: any Error) {
        logger.warning(
            "a connection to the schedules' database has ended", metadata: ["error": "\(error)"])
    }

    func drains(_ running: Int) {
        logger.info("no more ticks are claimed", metadata: ["running": "\(running)"])
    }

    func cannotCommit(_ error: any Error) {
        logger.warning("a transaction was not committed", metadata: ["error": "\(error)"])
    }

    func cannotWrite(_ change: Change, _ error: any Error) {
        failures.increment()
        logger.error(
            "the end of a tick cannot be written, and the tick will fire again",
            metadata: ["tick": "\(change.number)", "error": "\(error)"])
    }

    // MARK: Ticks

    func claims(_ count: Int) { if count > 0 { claims.increment(by: count) } }

    func begins(_ claim: Claim, _ due: Date) {
        attempts.increment()
        lag.recordSeconds(max(0, claim.now.timeIntervalSince(due)))
    }

    func skips(_ claim: Claim) {
        skipped.increment()
        logger.info(
            "a tick is too late and does not fire",
            metadata: ["schedule": "\(claim.schedule)", "due": "\(claim.due)"])
    }

    func running(_ tick: ScheduledTick, _ body: () async throws -> Void) async throws {
        runningJobs.increment()
        defer { runningJobs.decrement() }
        try await withSpan("schedule \(tick.schedule)") { span in
            span.attributes["swivel.schedule"] = tick.schedule
            span.attributes["swivel.tick"] = Int(tick.number)
            span.attributes["swivel.attempt"] = tick.attempt
            try await body()
        }
    }

    func ends(_ tick: ScheduledTick, _ change: Change) {
        var metadata = tick.metadata
        if let error = change.error { metadata["error"] = "\(error)" }
        switch change.kind {
        case .done, .skipped: logger.debug("the tick is done", metadata: metadata)
        case .returned: logger.info("the tick is given back", metadata: metadata)
        case .cancelled: logger.notice("the tick is cancelled", metadata: metadata)
        case .failed:
            failures.increment()
            if let wait = change.wait { metadata["wait"] = "\(wait) ms" }
            logger.warning("an attempt has failed", metadata: metadata)
        case .discarded:
            failures.increment()
            logger.error("the tick is discarded after its last attempt", metadata: metadata)
        }
    }

    func ignoresCancel(_ tick: ScheduledTick) {
        logger.error("a job ignores its cancellation and keeps its place", metadata: tick.metadata)
    }

    func cannotRead(_ claim: Claim, _ error: any Error) {
        failures.increment()
        logger.error(
            "a schedule's definition cannot be read",
            metadata: ["schedule": "\(claim.schedule)", "error": "\(error)"])
    }

    func doesNotKnow(_ jobs: [String]) {
        logger.warning(
            "ticks are due whose jobs this process does not have",
            metadata: ["jobs": "\(jobs.sorted().joined(separator: ", "))"])
    }
}

extension ScheduledTick {
    fileprivate var metadata: Logger.Metadata {
        ["schedule": "\(schedule)", "tick": "\(number)", "attempt": "\(attempt)"]
    }
}
#endif
