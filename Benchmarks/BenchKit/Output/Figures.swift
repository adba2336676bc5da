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

    /// "3.2× better" or "1.4× worse". `nil` is better by more than a number can say.
    package static func ratio(_ ratio: Double?) -> String {
        guard let ratio else { return "∞ better" }
        guard ratio > 0 else { return "∞ worse" }
        if ratio < 1 {
            let text = short(1 / ratio)
            return text == "1" ? "equal" : "\(text)× worse"
        }
        let text = short(ratio)
        return text == "1" ? "equal" : "\(text)× better"
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
