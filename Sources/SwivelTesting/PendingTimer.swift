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
    /// Where it was armed, or where a rearmable one was made, as function, file and line. In debug
    /// builds on Linux, on a loop that traces sites; else `nil`.
    public let site: String?
    /// Time from the loop's present to the deadline.
    let remaining: Duration
}

extension PendingTimer: CustomStringConvertible {
    /// Such as `every 1.0 seconds, due in 0.5 seconds, armed at poll() in Poller.swift:12`.
    public var description: String {
        let name = "\(kind)" + (label.map { " \"\($0)\"" } ?? "")
        let due = deadline == .never ? "never due" : "due in \(remaining)"
        return "\(name), \(due)" + (site.map { ", armed at \($0)" } ?? "")
    }
}

extension Loop {
    /// The timers that wait on a manual loop, in the order in which they will fire.
    ///
    /// **Thread:** the one that advances the loop.
    /// - Complexity: O(n log n) in the number of timers that were ever pending at once. Each site
    ///   takes milliseconds.
    public var pending: [PendingTimer] {
        virtualTime(Caller("pending"))
        return describe(pendingNodes())
    }

    private func describe(_ nodes: some Sequence<PendingNode>) -> [PendingTimer] {
        let sites = manual?.observer as? SchedulingSites
        return nodes.map { node in
            let deadline = node.instant ?? now
            return PendingTimer(
                deadline: deadline, kind: node.kind, label: node.label, handle: node.handle,
                site: sites?.site(of: node.handle), remaining: now.duration(to: deadline))
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
        // Only the timers that the message names are described: a site takes milliseconds.
        let named = describe((all.filter { !isOnce($0) } + all.filter(isOnce)).prefix(10))
        let posts = queuedPosts
        let rest = all.count - named.count
        let parts =
            named.map { "(\($0))" } + (rest > 0 ? ["\(rest) more timers"] : [])
            + (posts > 0 ? ["\(posts) posts"] : [])
        return parts.isEmpty ? "Nothing is pending" : "Pending: \(parts.joined(separator: ", "))"
    }
}
