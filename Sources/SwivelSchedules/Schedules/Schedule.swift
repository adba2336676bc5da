// SPDX-License-Identifier: Apache-2.0
#if PostgreSQL || SQLite
internal import Foundation
public import SwivelCore

/// A job that comes again, or comes once, at instants of a recurrence. It is a row of the database,
/// which all processes share; see ``ScheduleStore/set(_:)``.
///
/// ```swift
/// let berlin = TimeZone(identifier: "Europe/Berlin")!
/// var report = Schedule("report", job: "report", .daily(hour: 3, in: berlin))
/// report.attempts = 3
/// try await store.set(report)
/// ```
public struct Schedule: Sendable {
    /// Its name, which no other schedule has.
    public var name: String
    /// The name of the function that its ticks call; see ``ScheduleRunner``.
    public var job: String
    /// The instants of its ticks.
    public var recurrence: Recurrence
    /// The fate of ticks that no process could fire in time.
    public var missed = MissedTickPolicy.latest
    /// How often a tick is tried, at least once. After that it is discarded, with the error's text,
    /// and the schedule continues with its next tick.
    public var attempts = 5
    /// The waits between attempts.
    public var backoff = Backoff.exponential(base: .seconds(1), limit: .seconds(600))
    /// How long an attempt may take. After that the job is cancelled, and the attempt has failed,
    /// whatever the job returns.
    public var timeLimit = Duration.seconds(600)
    /// Among ticks that are due, those of a greater priority come first.
    public var priority = 0
    /// Whether ticks fire. Those of the time while it is false are missed. True does not resume a
    /// schedule that exists and is paused: ``ScheduleStore/resume(_:)`` does.
    public var isEnabled = true
    /// The result of ``ScheduledTick/arguments(_:)``, as JSON.
    package private(set) var arguments = "null"

    /// A schedule called `name` whose ticks call the function `job` at the instants of `recurrence`,
    /// without arguments.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public init(_ name: String, job: String, _ recurrence: Recurrence) {
        self.name = name
        self.job = job
        self.recurrence = recurrence
    }

    /// A schedule called `name` whose ticks call the function `job` at the instants of `recurrence`,
    /// with `arguments`.
    ///
    /// **Thread:** any.
    /// - Throws: The error of encoding the arguments.
    /// - Complexity: O(n) in the arguments.
    public init(
        _ name: String, job: String, _ recurrence: Recurrence, arguments: some Encodable
    ) throws {
        self.init(name, job: job, recurrence)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        self.arguments = String(decoding: try encoder.encode(arguments), as: UTF8.self)
    }

    /// As text, for the database.
    func definition() throws -> String {
        let definition = Definition(
            recurrence: recurrence, missed: missed.text, attempts: attempts,
            timeLimit: timeLimit / .seconds(1),
            backoff: Definition.Waits(
                base: backoff.base / .seconds(1), factor: backoff.factor,
                limit: backoff.limit / .seconds(1), least: backoff.jitter.lowerBound,
                most: backoff.jitter.upperBound))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(definition), as: UTF8.self)
    }
}

/// The part of a schedule's row that describes its ticks.
struct Definition: Codable, Sendable {
    struct Waits: Codable, Sendable {
        let base: Double
        let factor: Double
        let limit: Double
        let least: Double
        let most: Double
    }

    let recurrence: Recurrence
    let missed: String
    let attempts: Int
    let timeLimit: Double
    let backoff: Waits

    /// The wait after this many failures. A row may have any numbers.
    func wait(after failures: Int) -> Duration {
        let (least, most) = (backoff.least.clamped(to: 0...1_000), backoff.most)
        return Backoff.exponential(
            base: .seconds(backoff.base.clamped(to: 0...1e9)),
            factor: backoff.factor.clamped(to: 1...1_000_000),
            limit: .seconds(backoff.limit.clamped(to: 0...1e9)),
            jitter: least...most.clamped(to: least...1_000)
        ).wait(after: failures)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
#endif
