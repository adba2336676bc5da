// SPDX-License-Identifier: Apache-2.0

/// A report of one seed's run.
public struct SimulatedRun: Sendable, CustomStringConvertible {
    /// How a run ended, or why a simulation failed. New ends may come.
    public struct End: Hashable, Sendable, CustomStringConvertible {
        /// The end's name.
        public let description: String
        /// The end in the words of a failure.
        var meaning = ""

        /// The body has returned, or has thrown an error.
        public static let finished = End(description: "finished")
        /// Nothing could go on, and no timer was armed.
        public static let deadlock = End(
            description: "deadlock", meaning: "nothing can go on, and no timer is armed")
        /// Steps had no end, most of them at one instant.
        public static let endless = End(
            description: "endless work at one instant",
            meaning: "work at one instant has no end: a loop that never sleeps")
        /// The limit of steps was reached.
        public static let outOfSteps = End(
            description: "out of steps", meaning: "the steps were not enough")
        /// The body has thrown an error. A failure's reason.
        public static let thrown = End(description: "thrown")
        /// A seed gave two traces. A failure's reason.
        public static let diverged = End(description: "diverged")
        /// The platform, or the version of Swift, is not supported. A failure's reason.
        public static let unsupported = End(description: "unsupported")
    }

    /// A task that had not ended with the run.
    public struct PendingTask: Hashable, Sendable, CustomStringConvertible {
        /// Its name in quotes, or its number in the run; and the task that made it.
        public let name: String
        /// Where its function is, as `program+0x1234`; `nil`: not known.
        public let site: String?
        /// Its state, and the virtual time since which it is in it.
        public let state: String

        /// Such as `task 2 (made by body) waits since 1.5 s`.
        public var description: String { "\(name) \(state)\(site.map { ", at \($0)" } ?? "")" }
    }

    /// The seed.
    public let seed: UInt64
    /// How it ended.
    public let end: End
    /// Steps: jobs of tasks and actors, closures, and turns of loops.
    public let steps: Int
    /// Tasks that were made.
    public let tasks: Int
    /// The virtual time that has passed.
    public let elapsed: Duration
    /// A hash of all choices and instants. Equal seeds have equal traces.
    public let trace: UInt64
    /// Tasks and actors that threads outside of the world have resumed, one line each: such a run
    /// is not repeatable.
    public let escapes: [String]
    /// The tasks that had not ended.
    public let pending: [PendingTask]
    /// The body's error; `nil` for a cancellation that the run has made.
    let error: (any Error)?
    let events: Timeline
    let names: [String]

    /// The latest events, one line each: who ran, what made it run, who slept, and when.
    ///
    /// - Complexity: O(n) in the events, 2,048 at most.
    public var timeline: String { events.text(names) }

    /// The latest steps as a picture for a terminal, with a column for each task.
    ///
    /// - Complexity: As that of ``timeline``.
    public var picture: String { events.picture(names) }

    /// The picture, and the text as well if a run is repeated.
    var details: String { Replay.seed == nil ? picture : "\(timeline)\n\(picture)" }

    /// The end, the steps and the time.
    public var description: String {
        "seed \(seed): \(end) after \(steps) steps and \(elapsed) of virtual time"
    }
}

/// A run that failed, with what repeats it.
public struct SimulationFailure: Error, CustomStringConvertible {
    /// Why a simulation fails.
    public typealias Reason = SimulatedRun.End

    /// Why it failed.
    public let reason: Reason
    /// The run; `nil`: there was none.
    public let run: SimulatedRun?
    /// The error that the body threw, if it did.
    public let error: (any Error)?
    /// The failure in words, with the line that repeats it.
    public let description: String
}
