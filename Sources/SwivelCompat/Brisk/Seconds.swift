// SPDX-License-Identifier: Apache-2.0
public import Dispatch
internal import Swivel

/// A time in seconds, as Brisk writes it: an `Int`, a `Float` or a `Double`.
public protocol QuickDispatchTimeInterval {
    /// Returns the number of seconds in Dispatch's own type.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    func asDispatchTimeInterval() -> DispatchTimeInterval
}

extension Int: QuickDispatchTimeInterval {
    /// See ``QuickDispatchTimeInterval/asDispatchTimeInterval()``.
    public func asDispatchTimeInterval() -> DispatchTimeInterval { .seconds(self) }
}

extension Double: QuickDispatchTimeInterval {
    /// Returns the number of seconds in whole nanoseconds, clamped to `Int`. NaN traps.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public func asDispatchTimeInterval() -> DispatchTimeInterval {
        .nanoseconds(Int(clamping: Duration(seconds: self).attoseconds / 1_000_000_000))
    }
}

extension Float: QuickDispatchTimeInterval {
    /// Returns the number of seconds in whole nanoseconds, clamped to `Int`. NaN traps.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1).
    public func asDispatchTimeInterval() -> DispatchTimeInterval {
        Double(self).asDispatchTimeInterval()
    }
}

extension Duration {
    /// A number of seconds. One beyond every clock's range becomes a time that never comes; NaN
    /// traps.
    init(seconds: Double) {
        if seconds.isNaN {
            fatalError("Swivel: a time in seconds must not be NaN; use .infinity for never")
        }
        let clocksRange = 1e11
        self = .seconds(min(max(seconds, -clocksRange), clocksRange))
    }

    /// A leeway in Brisk's form. Without one the timer is exact.
    init(leeway: (any QuickDispatchTimeInterval)?) {
        self = leeway.map { Duration($0.asDispatchTimeInterval()) } ?? .zero
    }

    /// Dispatch's length of time.
    init(_ interval: DispatchTimeInterval) {
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
    var timeLeft: Duration {
        let now = DispatchTime.now().uptimeNanoseconds
        return .nanoseconds(Int64(clamping: max(uptimeNanoseconds, now) - now))
    }
}
