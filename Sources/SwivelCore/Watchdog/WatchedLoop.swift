// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// A loop as its watchdog sees it. It does not keep the loop.
struct WatchedLoop: Watched, @unchecked Sendable {
    // because records are never freed, and the core's words in them are atomic.
    private let record: OpaquePointer
    private let status: LoopStatus
    private let name: String
    /// The stall that was reported.
    private var reported: Hold?
    /// Since when a loop that has something to run was not driven.
    private var left: (turn: UInt64, since: UInt64)?

    /// The reason why the loop runs no turns, and since when. Another turn makes another one.
    private struct Hold {
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

    mutating func check(_ limit: UInt64) -> [Stall] { change(limit).map { [$0] } ?? [] }

    /// Checks the loop. Returns a stall that has begun or ended.
    private mutating func change(_ limit: UInt64) -> Stall? {
        let now = swivel_now_ns()
        var progress = swivel_progress()
        let isAwake = swivel__loop_progress(record, &progress)
        let hold =
            isAwake
            ? Hold(turn: progress.turns, since: progress.since_ns, isUnattended: false)
            : unattended(progress, now)
        if let stalled = reported {
            if stalled.isSame(as: hold) { return nil }
            reported = nil
            return stall(stalled, now, isOver: true)
        }
        // The loop may have run a turn since the clock was read.
        guard var hold, now > hold.since, now - hold.since >= limit else { return nil }
        if !hold.isUnattended {
            hold.label = status.labelText
            hold.site = hold.label == nil ? CodeAddress.place(ofClosure: progress.running) : nil
        }
        reported = hold
        return stall(hold, now, isOver: false)
    }

    /// The loop is parked. If work is due, it counts as not driven from the first check that finds
    /// that.
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
