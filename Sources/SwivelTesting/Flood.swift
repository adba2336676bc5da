// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// Watches how long other threads hold an advance at one instant by sending the loop more than it
/// can run.
struct Flood {
    /// Real time after which this is a flood, unless the loop's patience is shorter.
    private static let limit = Duration.seconds(3)
    /// How much must come in that time: a thread that is merely busy sends less.
    private static let least: UInt64 = 100_000

    private let loop: Loop
    private let began = ContinuousClock.now
    private let sentBefore: UInt64
    /// How much had come at the last check.
    private var sent: UInt64

    init(on loop: Loop) {
        self.loop = loop
        sentBefore = loop.sentFromElsewhere
        sent = sentBefore
    }

    /// Traps if the flood lasts too long.
    mutating func check() {
        let sent = loop.sentFromElsewhere
        let isGoingOn = sent != self.sent
        self.sent = sent
        let limit = min(Self.limit, loop.manual?.patience ?? Self.limit)
        let time = began.duration(to: .now)
        guard isGoingOn, sent - sentBefore >= Self.least, time >= limit else { return }
        trap(
            """
            time cannot move on from \(loop.elapsedTime) on \(loop): other threads send it more than \
            it can run, \(sent - sentBefore) posts, timers and cancels in \(time) of real time, and \
            it never gets to the end of them; have that producer wait for the loop now and then, \
            stop it before the advance, or limit it with maxPendingPosts and tryExecute(_:)
            """)
    }
}
