// SPDX-License-Identifier: Apache-2.0

/// The runs of a ``Coalescer`` that are under way, and the tasks that wait for the end of some.
///
/// Several closures may be on their way for one series, of its timer and of flushes. One of them runs
/// the work; the others find the series over, maybe while the work still runs.
struct CoalescerRuns {
    typealias Waiting = UnsafeContinuation<Void, Never>

    /// A series, and how many closures have started for it: most often there is no other.
    private var first = (series: CoalescerSeries.none, closures: 0)
    /// The other series of closures that have started, once for each closure.
    private var others: [CoalescerSeries] = []
    private var waiters: [(series: [CoalescerSeries], task: Waiting)] = []

    /// A closure starts. It comes before the series is over.
    mutating func begin(_ series: CoalescerSeries) {
        if first.closures == 0 { first.series = series }
        if first.series == series {
            first.closures += 1
        } else {
            others.append(series)
        }
    }

    /// A closure has ended, and its series is over. Returns the tasks that wait for nothing else.
    mutating func end(_ series: CoalescerSeries) -> [Waiting] {
        if first.closures > 0, first.series == series {
            first.closures -= 1
        } else if let index = others.firstIndex(of: series) {
            others.remove(at: index)
        }
        guard !waiters.isEmpty, !underWay.contains(series) else { return [] }
        for index in waiters.indices { waiters[index].series.removeAll { $0 == series } }
        defer { waiters.removeAll { $0.series.isEmpty } }
        return waiters.filter { $0.series.isEmpty }.map(\.task)
    }

    /// Keeps a task until the runs under way have ended, and the pending one, for which a closure
    /// has yet to start. False: there is none of these.
    mutating func wait(_ task: Waiting, pending: CoalescerSeries?) -> Bool {
        let series = underWay + (pending.map { [$0] } ?? [])
        if !series.isEmpty { waiters.append((series, task)) }
        return !series.isEmpty
    }

    private var underWay: [CoalescerSeries] {
        first.closures > 0 ? [first.series] + others : others
    }
}
