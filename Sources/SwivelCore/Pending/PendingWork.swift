// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

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
    /// The label that it was given; Swivel's own types are labelled with their names.
    public let label: String?
    /// When a timer fires next, its leeway included; `nil`: it fires in the next turn, or it is not
    /// a timer.
    public var deadline: LoopClock.Instant? { instant }
    /// The place of a timer's or a watch's closure in the program's files, such as `server+0x1a2b`:
    /// `addr2line -fpe server 0x1a2b` prints its function and line. For a closure without a `Tick`
    /// that repeats it is a place in Swivel. `nil`: not known.
    public var site: String? { label == nil ? CodeAddress.place(ofClosure: function) : nil }
    /// A timer's handle. Only the owner of a ``Kind/rearmable`` timer can disarm it.
    public var handle: TimerHandle? { timer }

    private let timer: TimerHandle?
    private let instant: LoopClock.Instant?
    /// The first word of the closure. Its place is looked up when it is read.
    private let function: UInt64
    /// Time from the loop's present to the deadline.
    private let remaining: Duration?
    /// Whether a timer's arm message is not sent or not drained yet: an advance may not reach it.
    package let isOnItsWay: Bool

    init(_ kind: Kind, label: String? = nil, site function: UInt64 = 0) {
        self.kind = kind
        self.label = label
        self.function = function
        (timer, instant, remaining, isOnItsWay) = (nil, nil, nil, false)
    }

    init(_ timer: swivel_pending, now: LoopClock.Instant) {
        var timer = timer
        let handle = DispatchedTimer.describe(&timer) ?? TimerHandle(timer.timer)
        // Another thread may have released the closure: its words are only compared.
        let label = Label.text(of: timer.work)
        // If the timer is pending, its closure was not released until now, so the label is its own.
        self.label = handle.isPending ? label : nil
        self.timer = handle
        kind = Kind(timer)
        instant = timer.fire_at_ns == 0 ? nil : LoopClock.Instant(nanoseconds: timer.fire_at_ns)
        function = UInt64(timer.work.function)
        remaining = instant.map { now.duration(to: $0) } ?? .zero
        isOnItsWay = timer.flags & UInt64(SWIVEL_QUEUED) != 0
    }
}

extension PendingWork.Kind {
    fileprivate init(_ timer: swivel_pending) {
        let interval = Duration.nanoseconds(timer.interval_ns)
        switch (timer.flags & UInt64(SWIVEL_REUSABLE) != 0, timer.interval_ns) {
        case (true, _): self = .rearmable
        case (_, 0): self = .once
        default: self = timer.is_after_completion ? .afterCompletion(interval) : .every(interval)
        }
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

/// The place of a function in the program's files.
package enum CodeAddress {
    /// Such as `server+0x1a2b`: the file that the function was loaded from, and its offset there,
    /// as `addr2line` and `atos` take it. `nil`: the word is not a closure's.
    package static func place(ofClosure word: UInt64) -> String? {
        var offset: UInt64 = 0
        guard word != 0, swivel__is_closure(word), let path = swivel__image_of(word, &offset)
        else { return nil }
        let file = String(cString: path).split(separator: "/").last ?? ""
        return "\(file)+0x\(String(offset, radix: 16))"
    }
}
