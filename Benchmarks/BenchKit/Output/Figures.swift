// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Numbers as people read them, in the table and on the page alike.
package enum Figures {
    /// A value with its unit: nanoseconds become µs and ms where that is shorter.
    package static func value(_ value: Double, unit: String) -> String {
        guard unit.hasPrefix("ns") else { return "\(short(value)) \(unit)" }
        let rest = unit.dropFirst(2)
        switch abs(value) {
        case ..<1_000: return "\(short(value)) ns\(rest)"
        case ..<1_000_000: return "\(short(value / 1_000)) µs\(rest)"
        case ..<1_000_000_000: return "\(short(value / 1_000_000)) ms\(rest)"
        default: return "\(short(value / 1_000_000_000)) s\(rest)"
        }
    }

    /// A value without what it is a figure of: "64 B", not "64 B/timer".
    package static func brief(_ value: Double, _ row: Row) -> String {
        self.value(value, unit: String(row.unit.prefix { $0 != "/" && $0 != " " }))
    }

    /// "3.2× better" or "1.4× worse"; if one side needs nothing, the difference: "64 B less".
    package static func comparison(_ row: Row) -> String {
        if row.finiteRatio != nil || row.outcome == .equal { return ratio(row.finiteRatio ?? 1) }
        let saved = row.rivalMedian - row.subjectMedian
        return "\(brief(abs(saved), row)) \(saved > 0 ? "less" : "more")"
    }

    /// "2.9 to 3.4", the interval of the ratio; nothing if there is none.
    package static func interval(_ row: Row) -> String {
        guard let low = row.low, let high = row.high else { return "" }
        return "\(short(low)) to \(short(high))"
    }

    /// "3.2× better" or "1.4× worse".
    package static func ratio(_ ratio: Double) -> String {
        let text = short(max(ratio, 1 / ratio))
        return text == "1" ? "equal" : "\(text)× \(ratio > 1 ? "better" : "worse")"
    }

    /// The demand of a budget, as DESIGN.md writes it.
    package static func limit(_ form: Budget.Form, _ limit: Double) -> String {
        switch form {
        case .ratioAtLeast: "≥ \(short(limit))×"
        case .shareAtMost: "≤ \(short(limit))×"
        case .valueAtMost: "≤ \(short(limit))"
        case .valueBelow: "< \(short(limit))"
        case .valueExactly: "= \(short(limit))"
        }
    }

    /// Three significant digits, and no more places than they need.
    package static func short(_ value: Double) -> String {
        guard value.isFinite else { return value > 0 ? "∞" : "–" }
        var places = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
        // Two digits of what would be 0.
        if value != 0, abs(value) < 0.1 {
            places = min(9, 1 - Int(log10(abs(value)).rounded(.down)))
        }
        let text = String(format: "%.\(places)f", value)
        guard text.contains(".") else { return text }
        return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
    }
}
