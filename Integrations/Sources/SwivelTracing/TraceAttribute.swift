// SPDX-License-Identifier: Apache-2.0
#if Tracing
/// The names of the attributes that Swivel gives to spans.
public enum TraceAttribute {
    /// The name of the loop that runs the closure. Other contexts have none.
    public static let loop = "swivel.loop"
    /// How much later than its deadline a timer's closure started, in nanoseconds.
    public static let lateness = "swivel.lateness_ns"
    /// The number of a repeating timer's tick, from 0.
    public static let tick = "swivel.tick"
    /// The instants that passed without a tick since the tick before.
    public static let missed = "swivel.missed"
}
#endif
