// SPDX-License-Identifier: Apache-2.0

/// Sides that are no rivals: floors, and Swivel itself in another form. Their rows say what a layer
/// costs, or what is left to gain, and are no wins and no losses of the headline.
package enum Yardstick {
    /// Swivel's own core in C, without its Swift layer.
    package static let core = "CSwivel"
    /// Two threads with a futex each and nothing else: the floor of a wait.
    package static let futex = "bare futex"
    /// Two threads that never sleep: the floor of a wait that nobody sleeps in.
    package static let looking = "bare look"
    /// Swivel's own maps on `.immediate`, which change no context.
    package static let immediate = "map(on: .immediate)"
    /// Swivel itself with a thousand timers outstanding.
    package static let swivelAt1k = "Swivel at 1k"

    package static let all: Set = [core, futex, looking, immediate, swivelAt1k]
}

extension Row {
    /// Whether it is about a rival.
    var isBesideRival: Bool { !Yardstick.all.contains(rival) }
}
