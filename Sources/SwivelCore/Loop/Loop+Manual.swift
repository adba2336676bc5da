// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

extension Loop {
    /// A loop without a thread whose time stands still until ``advance(to:)`` moves it. It runs the
    /// production turn.
    package static func manual(
        _ configuration: Configuration = Configuration(name: "swivel.manual"),
        startingAt instant: LoopClock.Instant = LoopClock.Instant(nanoseconds: 1)
    ) throws(SwivelError) -> Loop {
        try Loop(configuration, SWIVEL_MANUAL, manualStart: instant.nanoseconds)
    }

    /// Moves a manual loop's time to `instant`, and runs what is due on the way, each timer at its
    /// own instant.
    package func advance(to instant: LoopClock.Instant) {
        swivel_loop_advance(record, instant.nanoseconds)
    }

    /// Moves a manual loop's time by `duration`; see ``advance(to:)``.
    package func advance(by duration: Duration) {
        advance(to: now.advanced(by: duration))
    }
}
