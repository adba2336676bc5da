// SPDX-License-Identifier: Apache-2.0

extension Timeline {
    /// One line for each event.
    func text(_ names: [String]) -> String {
        let events = events
        let forgotten = count - events.count
        var lines = forgotten > 0 ? ["\(forgotten) earlier events are not kept"] : []
        lines += events.map { event in
            "\(Self.column(Self.text(event.time), 12)) \(Self.column("#\(event.step)", 7)) "
                + "\(names[event.member]) \(meaning(of: event, names).text)"
        }
        return lines.joined(separator: "\n")
    }

    /// An event's mark in the picture, if it has one, and what it says of its member.
    func meaning(of event: Event, _ names: [String]) -> (mark: Character?, text: String) {
        let number = Int(event.detail)
        return switch event.kind {
        case .isMade: ("+", "is made by \(names[number])")
        case .runs: ("●", "runs")
        case .sleeps: ("z", "sleeps until \(Self.text(event.detail))")
        case .wakes: ("☼", "wakes")
        case .wakesEarly: ("☼", "wakes early: its sleep was cancelled")
        case .mayGoOn: ("▸", "may go on, because of \(names[number])")
        case .isCancelled: ("✕", "is cancelled by the simulation")
        case .ends: ("■", "ends")
        case .clockIsSet: (nil, "sees the wall clock \(Self.text(event.detail)) ahead")
        case .notes: (nil, "notes: \(texts[number])")
        case .isResumed:
            ("▸", "is resumed by the thread \(texts[number]), outside of the world")
        }
    }

    /// A virtual time, such as `1.5 s`.
    static func text(_ nanoseconds: Int64) -> String {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest == 0 { return "\(seconds) s" }
        var digits = "\(1_000_000_000 + rest.magnitude)".dropFirst()
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(nanoseconds < 0 && seconds == 0 ? "-" : "")\(seconds).\(digits) s"
    }

    /// The text, with spaces up to a width.
    static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
