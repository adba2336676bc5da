// SPDX-License-Identifier: Apache-2.0
internal import BenchKit

/// How much work goes into a round.
struct Plan {
    /// Whether the whole run has to end within minutes.
    let isQuick: Bool

    /// One number for a full run and another for a quick one.
    func choose<Value>(_ full: Value, quick: Value) -> Value { isQuick ? quick : full }
}

/// One kind of work, in all its variants.
protocol Scenario {
    static var name: String { get }
    static var summary: String { get }

    /// The contests of this scenario, in the order of the table.
    static func contests(_ plan: Plan) -> [Contest]
}

/// Every scenario, in the order of the table: first what counts exactly, while the process is new.
enum Catalogue {
    static var all: [any Scenario.Type] {
        [
            AllocationCounts.self, TimerMemory.self, ScheduleCancel.self, LoopTimers.self,
            Churn.self, CrossThread.self, Burst.self, Spread.self, TimerLateness.self,
            Intervals.self, Debounce.self, IdleTimeouts.self, Posts.self, RoundTrips.self,
            Waits.self, BlockingPool.self, WatchedEvents.self, FutureChains.self, Jobs.self,
            ActorHop.self, ClockSleep.self, VirtualTime.self, Idle.self, CancelledTimeouts.self,
            CancelledSleeps.self,
        ]
    }
}
