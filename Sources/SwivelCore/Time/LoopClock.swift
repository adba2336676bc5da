// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// The clock of loops: monotonic nanoseconds that no change of the wall clock touches.
///
/// Its zero is arbitrary and the same for all real loops of a process; a manual loop has its own.
public struct LoopClock: Sendable {
    /// A point in time on the loops' clock.
    public struct Instant: Hashable, Sendable {
        /// Nanoseconds since the clock's zero.
        public let nanoseconds: UInt64

        /// An instant by its number.
        public init(nanoseconds: UInt64) {
            self.nanoseconds = nanoseconds
        }

        /// An instant that is never reached. A timer with this deadline never fires.
        public static let never = Instant(nanoseconds: .max)

        /// The current loop's time inside its closures (virtual on a manual loop), else real time.
        ///
        /// On one thread real time never goes back, whichever loop is asked; inside closures it is
        /// ahead of the system's clock by up to a microsecond, so that no deadline made from it is
        /// early.
        ///
        /// **Thread:** any.
        /// - Complexity: O(1), one clock read.
        public static var now: Instant {
            Instant(nanoseconds: swivel__current_now())
        }
    }

    /// The clock's own loop.
    let loop: Loop?

    /// The clock of whichever loop is current, and of ``Loop/shared`` where none is. One loop's own
    /// clock is ``Loop/clock``.
    ///
    /// Which loop is current is asked at each use: all real loops have the same time. Made inside a
    /// manual loop's closures, or in jobs of its tasks and actors, it is that loop's own, also where
    /// it is used elsewhere: `Task.sleep(for:clock:)` leaves the actor that calls it. Made outside of
    /// them it is real time to whoever is outside of them; pass ``Loop/clock`` to what a test is to
    /// control.
    public init() {
        loop = Loop.current.flatMap { $0.manual == nil ? nil : $0 }
    }

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// The time now: the loop's own, or ``Instant/now``.
    ///
    /// **Thread:** any.
    public var now: Instant { loop?.now ?? .now }

    /// The smallest step of the clock: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }
}

extension LoopClock.Instant: InstantProtocol {
    /// The instant `duration` later (earlier, if negative), held within the clock's range: nothing
    /// wraps. Fractions of a nanosecond are rounded up.
    public func advanced(by duration: Duration) -> Self {
        if duration.isNegative {
            // Rounded to the later instant, like a step forward.
            let back = duration.attoseconds.magnitude / 1_000_000_000
            return Self(nanoseconds: back > nanoseconds ? 0 : nanoseconds - UInt64(back))
        }
        return Self(nanoseconds: swivel__saturating_add(nanoseconds, duration.nanosecondsRoundedUp))
    }

    /// The time from here to `other`; negative if it is earlier.
    public func duration(to other: Self) -> Duration {
        if other.nanoseconds >= nanoseconds {
            return .nanoseconds(other.nanoseconds - nanoseconds)
        }
        return .zero - .nanoseconds(nanoseconds - other.nanoseconds)
    }

    /// Whether `lhs` comes before `rhs`.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// See ``advanced(by:)``.
    public static func + (instant: Self, duration: Duration) -> Self {
        instant.advanced(by: duration)
    }

    /// See ``advanced(by:)``.
    public static func - (instant: Self, duration: Duration) -> Self {
        let attoseconds = duration.attoseconds
        let opposite = attoseconds == .min ? .max : -attoseconds
        return instant.advanced(by: Duration(attoseconds: opposite))
    }

    /// The time from `rhs` to `lhs`.
    public static func - (lhs: Self, rhs: Self) -> Duration { rhs.duration(to: lhs) }
}

extension LoopClock.Instant: CustomStringConvertible {
    /// The instant in seconds.
    public var description: String {
        self == .never ? "never" : "\(Duration.nanoseconds(nanoseconds))"
    }
}
