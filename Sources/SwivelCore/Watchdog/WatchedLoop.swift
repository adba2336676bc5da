// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// A loop as its watchdog sees it. It does not keep the loop.
struct WatchedLoop: @unchecked Sendable {
    // because records are never freed, and the core's words in them are atomic.
    private let record: OpaquePointer
    private let status: LoopStatus
    private let name: String
    /// The stall that was told.
    private var told: Hold?
    /// Since when nobody has driven a loop that has something to run.
    private var left: (turn: UInt64, since: UInt64)?

    /// The reason why the loop does not go on, and since when. Another turn makes another one.
    fileprivate struct Hold {
        let turn, since: UInt64
        let isUnattended: Bool
        var label, site: String?

        func isSame(as other: Hold?) -> Bool {
            turn == other?.turn && since == other?.since && isUnattended == other?.isUnattended
        }
    }

    init(_ loop: Loop) {
        record = loop.record
        status = loop.status
        name = loop.name
    }

    var isOver: Bool { status.isOver }

    /// Looks at the loop. Returns the news to tell.
    mutating func look(_ limit: UInt64) -> Stall? {
        let now = swivel_now_ns()
        var progress = swivel_progress()
        let isAwake = swivel__loop_progress(record, &progress)
        let hold = isAwake ? Hold(running: progress) : unattended(progress, now)
        if let told {
            if told.isSame(as: hold) { return nil }
            self.told = nil
            return stall(told, now, isOver: true)
        }
        // The loop may have gone on since the clock was read.
        guard var hold, now > hold.since, now - hold.since >= limit else { return nil }
        if !hold.isUnattended {
            hold.label = status.labelText
            hold.site = hold.label == nil ? CodeAddress.place(ofClosure: progress.running) : nil
        }
        told = hold
        return stall(hold, now, isOver: false)
    }

    /// The loop rests. It is left alone if it should not, from the first look that sees that.
    private mutating func unattended(_ progress: swivel_progress, _ now: UInt64) -> Hold? {
        guard progress.due_ns <= now else {
            left = nil
            return nil
        }
        if left?.turn != progress.turns { left = (progress.turns, now) }
        return left.map { Hold(turn: $0.turn, since: $0.since, isUnattended: true) }
    }

    private func stall(_ hold: Hold, _ now: UInt64, isOver: Bool) -> Stall {
        Stall(
            loop: name, label: hold.label, site: hold.site, isUnattended: hold.isUnattended,
            duration: .nanoseconds(now - hold.since), isOver: isOver)
    }
}

extension WatchedLoop.Hold {
    /// Of a loop that is awake.
    fileprivate init(running progress: swivel_progress) {
        self.init(turn: progress.turns, since: progress.since_ns, isUnattended: false)
    }
}
