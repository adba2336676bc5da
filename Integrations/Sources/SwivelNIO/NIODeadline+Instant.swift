// SPDX-License-Identifier: Apache-2.0
#if NIO
public import NIOCore
public import SwivelCore

// On Linux both clocks are CLOCK_MONOTONIC, on Apple's systems both are its uptime: they agree to
// the nanosecond, and only the ends of their ranges differ.

extension NIODeadline {
    /// The same instant on NIO's clock, exactly.
    ///
    /// `LoopClock.Instant.never`, and every instant 292 years or more from the clock's zero, is
    /// `distantFuture`. The instants of a manual loop are virtual: NIO's clock does not know them.
    ///
    /// **Thread:** any.
    /// - Parameter instant: Of a real loop.
    /// - Complexity: O(1).
    public init(_ instant: LoopClock.Instant) {
        self = .uptimeNanoseconds(instant.nanoseconds)
    }
}

extension LoopClock.Instant {
    /// The same instant on the clock of real loops, exactly. `NIODeadline.distantFuture` is
    /// ``never``.
    ///
    /// **Thread:** any.
    /// - Parameter deadline: Of a real event loop. Those of an `EmbeddedEventLoop` are virtual, and
    ///   so is the instant.
    /// - Complexity: O(1).
    public init(_ deadline: NIODeadline) {
        self =
            deadline == .distantFuture
            ? .never : LoopClock.Instant(nanoseconds: deadline.uptimeNanoseconds)
    }
}
#endif
