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
    private var told: (turn: UInt64, since: UInt64, name: Name)?

    /// The label of the closure, or its place.
    private struct Name {
        let label, site: String?
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
        if let (turn, since, name) = told {
            guard !isAwake || progress.turns != turn || progress.since_ns != since else {
                return nil
            }
            told = nil
            return stall(name, since, now, isOver: true)
        }
        // The loop may have gone on since the clock was read.
        guard isAwake, now > progress.since_ns, now - progress.since_ns >= limit else { return nil }
        let label = status.labelText
        let site = label == nil ? CodeAddress.place(ofClosure: progress.running) : nil
        let name = Name(label: label, site: site)
        told = (progress.turns, progress.since_ns, name)
        return stall(name, progress.since_ns, now, isOver: false)
    }

    private func stall(_ of: Name, _ since: UInt64, _ now: UInt64, isOver: Bool) -> Stall {
        Stall(
            loop: name, label: of.label, site: of.site, duration: .nanoseconds(now - since),
            isOver: isOver)
    }
}
