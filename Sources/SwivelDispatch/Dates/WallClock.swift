// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
package import Foundation
internal import SwivelCore

/// The clock of dates: people and servers set it, so it can step in either direction.
package struct WallClock: Sendable {
    /// The date now.
    package let now: @Sendable () -> Date
    /// How long a timer may sleep before it looks at this clock again; `nil`: as long as it likes,
    /// because a step of the clock is announced.
    package let longestSleep: Duration?

    /// A clock.
    package init(longestSleep: Duration? = nil, now: @escaping @Sendable () -> Date) {
        self.now = now
        self.longestSleep = longestSleep
    }
}

/// What a wall timer waits for.
enum WallTarget: Equatable {
    /// A date, after any step of the wall clock.
    case date(Date)
    /// An instant on the clock of the timer's context.
    case instant(LoopClock.Instant)

    /// What to wait for until `date`. Traps on NaN, which no clock ever reaches and no order knows.
    init(_ date: Date, file: StaticString = #fileID, line: UInt = #line) {
        check(
            !date.timeIntervalSinceReferenceDate.isNaN,
            "a timer's date must not be NaN; use Date.distantFuture for one that never fires",
            file: file, line: line)
        self = date < .distantFuture ? .date(date) : .instant(.never)
    }

    /// Whether it has come, by the two clocks.
    func isReached(_ times: WallTimes) -> Bool {
        switch self {
        case .date(let date): times.wall >= date
        case .instant(let instant): times.context >= instant
        }
    }

    /// Where it lies, or lay, on the context's clock.
    func instant(_ times: WallTimes) -> LoopClock.Instant {
        switch self {
        case .date(let date):
            times.context.advanced(by: .seconds(held(date.timeIntervalSince(times.wall))))
        case .instant(let instant):
            instant
        }
    }

    /// The time that is left, by the two clocks; zero or less if it has come.
    func remaining(_ times: WallTimes) -> Duration {
        switch self {
        case .date(let date):
            .seconds(held(date.timeIntervalSince(times.wall)))
        case .instant(let instant):
            times.context.duration(to: instant)
        }
    }

    /// Beyond 10^11 s no loop's clock has an instant, and sums saturate.
    private func held(_ seconds: Double) -> Double {
        min(max(seconds, -1e11), 1e11)
    }
}

/// One reading of the wall clock and of a context's own.
struct WallTimes {
    let wall: Date
    let context: LoopClock.Instant

    init(wall: Date, context: LoopClock.Instant) {
        self.wall = wall
        self.context = context
    }

    /// Reads both clocks.
    init(_ clock: WallClock, _ context: any ExecutionContext) {
        wall = clock.now()
        self.context = (context as? Loop)?.now ?? .uptime
    }
}

extension LoopClock.Instant {
    /// The time now on the real loops' clock, by Dispatch, which reads the same one.
    static var uptime: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }
}
