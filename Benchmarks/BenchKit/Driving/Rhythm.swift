// SPDX-License-Identifier: Apache-2.0

/// How the calls of a debounce come.
package enum Rhythm: Sendable {
    /// Each in a turn of its own, as the events of a program come. The cost of the turn itself is
    /// taken off; the cost that the call adds to the end of the turn stays in.
    case oneATurn
    /// A thousand in a row in one turn: whoever puts work off to the end of the turn does it once
    /// for all of them.
    case inARow

    /// Times this many calls on the loop or queue, after some that do not count.
    package func time(
        _ turns: Turns, calls: Int, noise: NetCost.Noise,
        _ call: @escaping @Sendable (Int) -> Void
    ) -> Span {
        switch self {
        case .oneATurn:
            return turns.net(turns: calls, noise: noise) { call(0) }
        case .inARow:
            return turns.time(warmUp: 1, turns: calls / Turns.operations) { turn in
                let first = turn * Turns.operations
                for index in first..<(first + Turns.operations) { call(index) }
            }
        }
    }
}
