// SPDX-License-Identifier: Apache-2.0

extension Report {
    /// One report of this and further runs of the same commit: the rounds of a row are those of all
    /// runs that have it, in their order. Everything that no row tells is that of the first run.
    package func merged(with others: [Report]) -> Report {
        let reports = [self] + others
        var order: [String] = []
        var turns: [String: [Row]] = [:]
        for row in reports.flatMap(\.rows) {
            if turns[row.key] == nil { order.append(row.key) }
            turns[row.key, default: []].append(row)
        }
        var merged = self
        merged.rows = order.compactMap { turns[$0].flatMap(Row.merged) }
        // Counts are asserted if they were in each run that has the row.
        merged.asserted = order.filter { key in
            reports.allSatisfy { $0.row(key) == nil || $0.asserted.contains(key) }
        }
        for other in others {
            merged.reasons.merge(other.reasons) { first, _ in first }
            let missing = merged.missing
            merged.missing = missing + other.missing.filter { !missing.contains($0) }
            merged.failures += other.failures
        }
        return merged
    }
}

extension Row {
    /// One row with the rounds of all of these; `nil` of none. The sides' figures are those of the
    /// rows' figures, because rows keep no more of their sides.
    static func merged(_ rows: [Row]) -> Row? {
        guard var row = rows.first, rows.count > 1 else { return rows.first }
        row.subjectMedian = row.figure(of: rows.map(\.subjectMedian))
        row.rivalMedian = row.figure(of: rows.map(\.rivalMedian))
        row.rounds = rows.reduce(0) { $0 + $1.rounds }
        let ratios = rows.compactMap(\.ratios)
        guard ratios.count == rows.count else {
            row.setRatios(rows.map { $0.ratio ?? .infinity })
            row.ratios = nil
            return row
        }
        row.ratios = ratios.flatMap { $0 }
        row.setRatios(ratios.flatMap { $0 })
        return row
    }

    private func figure(of values: [Double]) -> Double {
        let figure = Metric.named(metric)?.figure(of: values)
        return Statistics.rounded(figure ?? Statistics.median(values))
    }

    private mutating func setRatios(_ ratios: [Double]) {
        let median =
            Metric.named(metric)?
            .ratio(of: ratios, subject: subjectMedian, rival: rivalMedian)
            ?? Statistics.median(ratios)
        let interval = Statistics.medianInterval(ratios)
        let (lower, upper) = (interval.lowerBound, interval.upperBound)
        ratio = median.isFinite ? Statistics.rounded(median) : nil
        low = median.isFinite ? Statistics.rounded(lower) : nil
        high = median.isFinite && upper.isFinite ? Statistics.rounded(upper) : nil
        spread = Statistics.rounded(Statistics.spread(ratios))
    }
}
