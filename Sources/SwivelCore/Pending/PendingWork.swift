// SPDX-License-Identifier: Apache-2.0

/// Something that waits on a loop, or that a loop waits for: what keeps it alive.
public struct PendingWork: Sendable {
    /// The kinds of pending work.
    public enum Kind: Hashable, Sendable {
        /// A timer that fires once.
        case once
        /// A timer that fires for each instant of a grid with this interval.
        case every(Duration)
        /// A timer that fires again and again, this long after its closure has returned.
        case afterCompletion(Duration)
        /// A ``LoopTimer`` that is armed, or something built on one: a ``Coalescer``, a
        /// ``Throttle``, a timeout.
        case rearmable
        /// As many posts, and messages about timers, wait for the next turn.
        case posts(Int)
        /// A file descriptor that is watched.
        case descriptor(Int32)
        /// A signal that is watched.
        case signal(Signal)
    }

    /// Its kind.
    public let kind: Kind
    /// The label that it was given; that of Swivel's own types is their name. `nil`: it has none.
    public let label: String?
    /// When a timer fires next, its leeway included; `nil`: it fires in the next turn, or it is not
    /// a timer.
    public var deadline: LoopClock.Instant? { node?.instant }
    /// The place of a timer's or a descriptor's closure in the program's files, such as `server+0x1a2b`:
    /// `addr2line -fpe server 0x1a2b` prints its function and line. For a closure without a `Tick`
    /// that repeats it is a place in Swivel. `nil`: not known.
    public var site: String? {
        guard label == nil else { return nil }
        return node?.site ?? CodeAddress.place(ofClosure: word)
    }
    /// A timer's handle. Only the owner of a ``Kind/rearmable`` timer can disarm it.
    public var handle: TimerHandle? { node?.handle }
    /// The timer. Its place is looked up when it is read.
    private let node: PendingNode?
    /// The first word of a watch's closure.
    private let word: UInt64
    /// Time from the loop's present to the deadline.
    let remaining: Duration?

    init(_ kind: Kind, label: String? = nil, site: UInt64 = 0) {
        self.kind = kind
        self.label = label
        word = site
        (node, remaining) = (nil, nil)
    }

    init(_ node: PendingNode, now: LoopClock.Instant) {
        kind = node.kind
        label = node.label
        word = 0
        self.node = node
        remaining = node.instant.map { now.duration(to: $0) } ?? .zero
    }
}

extension PendingWork: CustomStringConvertible {
    /// Such as `every 1.0 seconds "heartbeat", due in 0.5 seconds, at server+0x1a2b`.
    public var description: String {
        var text = "\(kind)"
        if let label { text += " \"\(label)\"" }
        if let remaining { text += deadline == .never ? ", never due" : ", due in \(remaining)" }
        if let site { text += ", at \(site)" }
        return text
    }
}

extension PendingWork.Kind: CustomStringConvertible {
    /// Such as `every 1.0 seconds`.
    public var description: String {
        switch self {
        case .once: "once"
        case .every(let interval): "every \(interval)"
        case .afterCompletion(let delay): "\(delay) after each run"
        case .rearmable: "rearmable"
        case .posts(let count): "\(count) posts"
        case .descriptor(let number): "descriptor \(number)"
        case .signal(let signal): "\(signal)"
        }
    }
}
