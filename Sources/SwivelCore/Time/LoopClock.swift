// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The clock of loops: monotonic nanoseconds, which no change of the wall clock affects. Its zero
/// is arbitrary. All real loops of a process share it; a manual loop has its own.
///
/// **Thread:** any.
public struct LoopClock: Sendable {
    /// A point in time on the loops' clock.
    ///
    /// **Thread:** any. Operations are O(1) and never wrap.
    public struct Instant: Hashable, Sendable {
        /// Nanoseconds since the clock's zero.
        public let nanoseconds: UInt64

        /// The instant `nanoseconds` after the clock's zero; `UInt64.max` is ``never``.
        ///
        /// - Complexity: O(1).
        public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

        /// An instant that is never reached. A timer with this deadline never fires.
        public static let never = Instant(nanoseconds: .max)

        /// The current loop's time inside its closures (virtual on a manual loop), else real time.
        ///
        /// On one thread real time never goes back, also between loops. Inside closures it is up to
        /// a microsecond ahead of the system's clock, so that no deadline made from it is early.
        ///
        /// - Complexity: O(1), one clock read.
        public static var now: Instant { Instant(nanoseconds: swivel_loop_now(nil)) }
    }

    /// The clock's own loop.
    let loop: Loop?

    /// The clock of the current loop at each use, or of ``Loop/shared`` if there is none.
    ///
    /// Made inside a manual loop's closures, or in jobs of its tasks and actors, it belongs to that
    /// loop wherever it is used: `Task.sleep(for:clock:)` leaves the actor that calls it. Made
    /// elsewhere it is real time outside of manual loops; pass ``Loop/clock`` to code that a test
    /// controls.
    ///
    /// - Complexity: O(1).
    public init() { loop = Loop.current.flatMap { $0.manual == nil ? nil : $0 } }

    init(_ loop: Loop) { self.loop = loop }

    /// The time now: the loop's own, or ``Instant/now``.
    public var now: Instant { loop?.now ?? .now }

    /// The resolution of the clock: one nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }
}

extension LoopClock.Instant: InstantProtocol {
    /// Returns the instant `duration` later (earlier, if negative), held within the clock's range.
    /// Fractions of a nanosecond are rounded to the later instant.
    ///
    /// - Complexity: O(1).
    public func advanced(by duration: Duration) -> Self {
        if duration.attoseconds < 0 {
            let back = duration.attoseconds.magnitude / 1_000_000_000
            return Self(nanoseconds: back > nanoseconds ? 0 : nanoseconds - UInt64(back))
        }
        return Self(nanoseconds: swivel__saturating_add(nanoseconds, duration.nanosecondsRoundedUp))
    }

    /// Returns the time from here to `other`; negative if that is earlier.
    ///
    /// - Complexity: O(1).
    public func duration(to other: Self) -> Duration {
        Duration(attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
    }

    /// Whether `lhs` comes before `rhs`.
    ///
    /// - Complexity: O(1).
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// See ``advanced(by:)``.
    public static func + (instant: Self, duration: Duration) -> Self {
        instant.advanced(by: duration)
    }

    /// Returns the instant `duration` before `instant`; see ``advanced(by:)``.
    ///
    /// - Complexity: O(1).
    public static func - (instant: Self, duration: Duration) -> Self {
        let attoseconds = duration.attoseconds
        let opposite = attoseconds == .min ? .max : -attoseconds
        return instant.advanced(by: Duration(attoseconds: opposite))
    }

    /// See ``duration(to:)``.
    public static func - (lhs: Self, rhs: Self) -> Duration { rhs.duration(to: lhs) }
}

extension LoopClock.Instant: CustomStringConvertible {
    /// The instant in seconds.
    public var description: String {
        self == .never ? "never" : "\(Duration.nanoseconds(nanoseconds))"
    }
}

extension LoopClock: Clock {
    /// Suspends the task until `deadline`.
    ///
    /// Never early, and up to `tolerance` later, to share a wake-up with others; `nil`: no later. A
    /// deadline that has passed suspends until the loop's next turn. The sleep is one node of the
    /// loop's wheel, which a cancel frees at once. The task resumes on its own executor.
    ///
    /// - Throws: `CancellationError` once the task is cancelled; ``SwivelError`` with
    ///   ``SwivelError/Code/shutdown`` if the clock's loop is shut down, or shuts down during the
    ///   sleep.
    /// - Complexity: O(1). On the loop no allocation but the runtime's own.
    nonisolated(nonsending) public func sleep(
        until deadline: Instant, tolerance: Duration? = nil
    ) async throws {
        try await Sleep.sleep(on: timekeeper, until: .at(deadline), tolerance: tolerance)
    }

    /// Suspends the task for `duration`, rounded up to nanoseconds, and up to `tolerance` longer;
    /// see ``sleep(until:tolerance:)``. Zero or less: until the loop's next turn.
    ///
    /// - Throws: Like ``sleep(until:tolerance:)``.
    /// - Complexity: O(1). On the loop no allocation but the runtime's own.
    nonisolated(nonsending) public func sleep(
        for duration: Duration, tolerance: Duration? = nil
    ) async throws {
        try await Sleep.sleep(on: timekeeper, until: .after(duration), tolerance: tolerance)
    }

    /// The loop that keeps the time of a sleep.
    var timekeeper: Loop { loop ?? .current ?? .shared }
}

extension LoopClock: Identifiable {
    /// Equal for clocks with one time: those of all real loops, and those of one manual loop.
    ///
    /// A clock without a loop of its own has the identity of the current loop's clock at each use.
    /// That of a manual loop may be another loop's once the manual loop has been released.
    ///
    /// - Complexity: O(1).
    public var id: ObjectIdentifier {
        guard let loop = loop ?? .current, loop.manual != nil else { return Self.realID }
        return ObjectIdentifier(loop)
    }

    /// The identity of the clock that all real loops share.
    static var realID: ObjectIdentifier { ObjectIdentifier(Self.self) }
}

extension Loop {
    /// This loop's clock: real, or virtual on a manual loop. Its sleeps are nodes of its wheel.
    public var clock: LoopClock { LoopClock(self) }
}
