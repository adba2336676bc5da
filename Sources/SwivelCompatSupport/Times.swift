// SPDX-License-Identifier: Apache-2.0
package import Dispatch

// Times in the forms of the older libraries.

extension Duration {
    /// A number of seconds. One beyond every clock's range becomes a time that never comes; NaN
    /// traps.
    package init(seconds: Double) {
        if seconds.isNaN {
            fatalError("Swivel: a time in seconds must not be NaN; use .infinity for never")
        }
        let clocksRange = 1e11
        self = .seconds(min(max(seconds, -clocksRange), clocksRange))
    }

    /// Dispatch's length of time.
    package init(_ interval: DispatchTimeInterval) {
        switch interval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        default: self = Duration(seconds: .infinity)
        }
    }
}

extension DispatchTime {
    /// The time from now to this instant; zero if it has passed.
    package var timeLeft: Duration {
        let now = DispatchTime.now().uptimeNanoseconds
        return .nanoseconds(Int64(clamping: max(uptimeNanoseconds, now) - now))
    }
}
