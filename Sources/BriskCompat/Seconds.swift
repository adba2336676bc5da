// SPDX-License-Identifier: Apache-2.0
public import Dispatch
internal import Swivel
internal import SwivelCompatSupport

/// A time in seconds, as Brisk writes it: an `Int`, a `Float` or a `Double`.
public protocol QuickDispatchTimeInterval {
    /// Returns the number of seconds in Dispatch's own type. **Thread:** any.
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
    /// See `Double.asDispatchTimeInterval()`.
    public func asDispatchTimeInterval() -> DispatchTimeInterval {
        Double(self).asDispatchTimeInterval()
    }
}

extension Duration {
    /// A leeway in Brisk's form. Without one the timer is exact.
    init(leeway: (any QuickDispatchTimeInterval)?) {
        self = leeway.map { Duration($0.asDispatchTimeInterval()) } ?? .zero
    }
}
