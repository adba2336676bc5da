// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

extension Loop {
    /// The timers that wait on a manual loop, in the order in which they will fire.
    ///
    /// **Thread:** the thread that advances the loop.
    /// - Complexity: O(n log n) in the number of timers that were ever pending at once.
    public var pending: [PendingWork] {
        virtualTime(Caller("pending"))
        return pendingTimers()
    }

    /// Posts and messages about timers that wait for a manual loop's next turn.
    ///
    /// **Thread:** the thread that advances the loop.
    public var pendingPosts: Int {
        virtualTime(Caller("pendingPosts"))
        return queuedPosts
    }

    /// The timers and posts that wait, as part of a message.
    var pendingDescription: String {
        let all = pendingTimers()
        let isOnce = { (timer: PendingWork) in timer.kind == .once }
        let named = (all.filter { !isOnce($0) } + all.filter(isOnce)).prefix(10)
        let posts = queuedPosts
        let rest = all.count - named.count
        let parts =
            named.map { "(\($0))" } + (rest > 0 ? ["\(rest) more timers"] : [])
            + (posts > 0 ? ["\(posts) posts"] : [])
        return parts.isEmpty ? "Nothing is pending" : "Pending: \(parts.joined(separator: ", "))"
    }
}

/// A manual loop was to run until nothing is left, but there is always more.
public struct NeverIdle: Error, CustomStringConvertible {
    /// The timers that wait, in the order in which they would fire.
    public let pending: [PendingWork]
    /// How many deadlines had come.
    public let deadlines: Int
    /// A message that names them and describes what to do.
    public let description: String

    init(_ loop: Loop, after deadlines: Int) {
        pending = loop.pending
        self.deadlines = deadlines
        description = """
            \(loop) is not idle after \(deadlines) deadlines, at \(loop.elapsedTime): a timer repeats, \
            or its work arms the next one, or work makes more work for the same instant, maybe by way \
            of tasks. Cancel it, or advance by a time. \
            \(loop.pendingDescription)
            """
    }
}
