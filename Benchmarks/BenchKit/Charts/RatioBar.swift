// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// One ratio as a bar from the line of equality, to the right where Swivel is better and to the
/// left where it is worse, with a whisker for its interval and a mark for its budget. It is made of
/// boxes in percentages of its row: text beside it stays text, and wraps on a phone.
struct RatioBar: Equatable {
    /// From 0 at the left end of the scale to 1 at its right.
    let bar: ClosedRange<Double>
    let isWin: Bool
    /// Whether the ratio lies beyond the scale's end.
    let isBeyond: Bool
    let whisker: ClosedRange<Double>?
    let must: Double?
    let middle: Double

    init(_ row: Row, budget: Budget?, scale: LogScale) {
        let ratio = row.ratio ?? .infinity
        let (end, one) = (scale.place(ratio), scale.place(1))
        middle = one
        isWin = ratio >= 1
        isBeyond = scale.isBeyond(ratio)
        bar = min(end, one)...max(end, one)
        whisker = row.low.map { low in
            let high = row.high ?? .infinity
            return scale.place(low)...max(scale.place(low), scale.place(high))
        }
        must = budget?.ratio.map { scale.place($0) }
    }

    var html: String {
        let kind = (isWin ? "win" : "loss") + (isBeyond ? " beyond" : "")
        var parts = """
            <i class="one" style="left:\(percent(middle))"></i>\
            <i class="\(kind)" style="left:\(percent(bar.lowerBound));\
            width:max(2px,\(percent(bar.upperBound - bar.lowerBound)))"></i>
            """
        if let whisker {
            parts += """
                <i class="whisk" style="left:\(percent(whisker.lowerBound));\
                width:\(percent(whisker.upperBound - whisker.lowerBound))"></i>
                """
        }
        if let must { parts += "<i class=\"must\" style=\"left:\(percent(must))\"></i>" }
        return "<span class=\"track\">\(parts)</span>"
    }

    private func percent(_ share: Double) -> String { String(format: "%.2f%%", 100 * share) }
}

extension Budget {
    /// The ratio that it demands, where it speaks of one.
    var ratio: Double? {
        switch form {
        case .ratioAtLeast: must
        case .shareAtMost: 1 / must
        case .valueAtMost, .valueBelow, .valueAtLeast, .valueExactly: nil
        }
    }
}
