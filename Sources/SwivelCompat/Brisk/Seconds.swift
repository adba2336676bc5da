// SPDX-License-Identifier: Apache-2.0
public import Dispatch
internal import Swivel

/// Brisk's numbers that are lengths of time: seconds, as `Int`, `Float` or `Double`.
public protocol QuickDispatchTimeInterval {
    /// The number, which counts seconds, in Dispatch's own type.
    func asDispatchTimeInterval() -> DispatchTimeInterval
}

extension Int: QuickDispatchTimeInterval {
    /// So many seconds.
    public func asDispatchTimeInterval() -> DispatchTimeInterval { .seconds(self) }
}

extension Double: QuickDispatchTimeInterval {
    /// So many seconds, to the nanosecond.
    public func asDispatchTimeInterval() -> DispatchTimeInterval {
        .nanoseconds(Int(clamping: Duration(seconds: self).inNanoseconds))
    }
}

extension Float: QuickDispatchTimeInterval {
    /// So many seconds, to the nanosecond.
    public func asDispatchTimeInterval() -> DispatchTimeInterval {
        Double(self).asDispatchTimeInterval()
    }
}

extension Duration {
    /// So many seconds. What is beyond any clock's range becomes a time that never comes.
    init(seconds: Double) {
        if seconds.isNaN {
            fatalError("Swivel: a time in seconds must not be NaN; use .infinity for never")
        }
        let clocksRange = 1e11
        self = .seconds(min(max(seconds, -clocksRange), clocksRange))
    }

    /// A leeway in Brisk's form. Without one the timer is exact.
    init(leeway: (any QuickDispatchTimeInterval)?) {
        self =
            switch leeway?.asDispatchTimeInterval() {
            case .seconds(let count): .seconds(count)
            case .milliseconds(let count): .milliseconds(count)
            case .microseconds(let count): .microseconds(count)
            case .nanoseconds(let count): .nanoseconds(count)
            case .never: Duration(seconds: .infinity)
            case nil: .zero
            @unknown default: .zero
            }
    }

    fileprivate var inNanoseconds: Int128 {
        attoseconds / 1_000_000_000
    }
}
