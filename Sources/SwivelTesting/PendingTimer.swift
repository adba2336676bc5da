// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// A timer that waits on a manual loop.
public struct PendingTimer: Sendable {
    /// The kinds of timers.
    public typealias Kind = PendingWork.Kind

    /// When it fires next, its leeway included; now if it fires in the next turn.
    public let deadline: LoopClock.Instant
    /// Its kind.
    public let kind: Kind
    /// The label that it was given; that of Swivel's own types is their name. `nil`: it has none.
    public let label: String?
    /// Its handle. Only the owner of a rearmable timer can disarm it.
    public let handle: TimerHandle
    /// Time from the loop's present to the deadline.
    let remaining: Duration
}

extension PendingTimer: CustomStringConvertible {
    /// Such as `every 1.0 seconds "heartbeat", due in 0.5 seconds`.
    public var description: String {
        let name = "\(kind)" + (label.map { " \"\($0)\"" } ?? "")
        let due = deadline == .never ? "never due" : "due in \(remaining)"
        return "\(name), \(due)"
    }
}

extension Loop {
    /// The timers that wait on a manual loop, in the order in which they will fire.
    ///
    /// **Thread:** the one that advances the loop.
    /// - Complexity: O(n log n) in the number of timers that were ever pending at once.
    public var pending: [PendingTimer] {
        virtualTime(Caller("pending"))
        return describe(pendingNodes())
    }

    private func describe(_ nodes: some Sequence<PendingNode>) -> [PendingTimer] {
        nodes.map { node in
            let deadline = node.instant ?? now
            return PendingTimer(
                deadline: deadline, kind: node.kind, label: node.label, handle: node.handle,
                remaining: now.duration(to: deadline))
        }
    }

    /// Posts and messages about timers that wait for a manual loop's next turn.
    ///
    /// **Thread:** the one that advances the loop.
    public var pendingPosts: Int {
        virtualTime(Caller("pendingPosts"))
        return queuedPosts
    }

    /// The timers and posts that wait, as part of a message.
    var pendingDescription: String {
        let all = pendingNodes()
        let isOnce = { (node: PendingNode) in node.kind == .once }
        let named = describe((all.filter { !isOnce($0) } + all.filter(isOnce)).prefix(10))
        let posts = queuedPosts
        let rest = all.count - named.count
        let parts =
            named.map { "(\($0))" } + (rest > 0 ? ["\(rest) more timers"] : [])
            + (posts > 0 ? ["\(posts) posts"] : [])
        return parts.isEmpty ? "Nothing is pending" : "Pending: \(parts.joined(separator: ", "))"
    }
}
