// SPDX-License-Identifier: Apache-2.0

internal import BenchKit

/// How much work goes into a round.
struct Plan {
    /// Whether the whole run has to end within minutes.
    let isQuick: Bool
    /// Whether the rows are held against budgets.
    let isCheck: Bool
    /// Whether the whole run has to end within a minute and a half.
    var isBrief: Bool { isQuick && !isCheck }

    init(isQuick: Bool, isCheck: Bool = false) {
        self.isQuick = isQuick
        self.isCheck = isCheck
    }

    /// One number for a full run and another for a quick one.
    func choose<Value>(_ full: Value, quick: Value) -> Value { isQuick ? quick : full }

    /// A contest's weight; a brief run has no time for more than 1.
    func weight(_ weight: Int) -> Int { isBrief ? 1 : weight }

    /// The weight of a contest whose rounds lie far apart: more of them where rows are held against
    /// budgets.
    var weightOfScattered: Int { isCheck ? 3 : 1 }
}

/// One kind of work, in all its variants.
protocol Scenario {
    static var name: String { get }
    static var summary: String { get }

    /// The contests of this scenario, in the order of the table.
    static func contests(_ plan: Plan) -> [Contest]
}

extension Scenario {
    /// The scenario as the page tells of it. Its file has its type's name.
    static var note: ScenarioNote {
        ScenarioNote(
            name: name, summary: summary,
            source: "Benchmarks/swivel-bench/Scenarios/\(Self.self).swift")
    }
}

/// Every scenario, in the order of the table: first what counts exactly, while the process is new.
enum Catalogue {
    static var all: [any Scenario.Type] {
        [
            AllocationCounts.self, InstructionCounts.self, TimerMemory.self, ScheduleCancel.self,
            LoopTimers.self, Churn.self, CrossThread.self, Posts.self, RoundTrips.self,
            WatchedEvents.self, Burst.self,
            Spread.self, LightLoad.self, Intervals.self, Debounce.self, IdleTimeouts.self,
            FutureChains.self, Waits.self, Gathering.self, Jobs.self, ActorHop.self, Executors.self,
            ClockSleep.self, VirtualTime.self, Idle.self, CancelledTimeouts.self,
            CancelledSleeps.self,
        ]
    }
}
