// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// How a repeating timer handles instants of its grid that passed while it could not run.
public enum MissedTicks: Hashable, Sendable {
    /// The latest of them gets the tick, the index jumps over the others, and the grid stays.
    case skip
    /// One tick comes, and the grid restarts at it.
    case delay
    /// Each of them gets its tick, one after another, until the timer has caught up.
    case burst

    var policy: swivel_missed {
        switch self {
        case .skip: SWIVEL_MISSED_SKIP
        case .delay: SWIVEL_MISSED_DELAY
        case .burst: SWIVEL_MISSED_BURST
        }
    }
}
