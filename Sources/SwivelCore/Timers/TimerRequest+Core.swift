// SPDX-License-Identifier: Apache-2.0
package import CSwivel
internal import CSwivel.Internal

extension TimerRequest {
    /// The body's closure, as words that the caller owns.
    var work: swivel_work {
        switch labelledBody {
        case .once(let run): Work.words(run)
        case .every(_, _, _, let run), .afterCompletion(_, let run): RepeatingWork.words(run)
        }
    }

    /// The grid of a repeating timer.
    package func grid(now: LoopClock.Instant) -> swivel_grid? {
        var grid = swivel_grid()
        switch body {
        case .once:
            return nil
        case .every(let interval, let missed, let jitter, _):
            grid.interval_ns = interval.nanosecondsRoundedUp
            grid.missed = missed.policy
            grid.jitter_low = Float(jitter?.lowerBound ?? 0)
            grid.jitter_high = Float(jitter?.upperBound ?? 0)
        case .afterCompletion(let delay, _):
            grid.interval_ns = delay.nanosecondsRoundedUp
            grid.missed = SWIVEL_AFTER_COMPLETION
        }
        switch start {
        case .after(let delay): grid.first_ns = now.advanced(by: max(delay, .zero)).nanoseconds
        case .at(let instant): grid.first_ns = instant.nanoseconds
        }
        // 0 stands for a post. A grid that began before the clock's zero begins at 1.
        grid.first_ns = max(grid.first_ns, 1)
        return grid
    }

    /// The grid of a repeating timer for the core, which has a first tick posted that is due at once.
    func postableGrid(now: LoopClock.Instant) -> swivel_grid? {
        var grid = grid(now: now)
        if isPost { grid?.first_ns = 0 }
        return grid
    }

    /// Whether it starts at once, as a post.
    var isPost: Bool {
        if case .after(let delay) = start { delay <= .zero } else { false }
    }
}
