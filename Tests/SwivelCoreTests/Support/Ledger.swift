// SPDX-License-Identifier: Apache-2.0
import SwivelTestSupport
import Synchronization

/// The fate of each of many timers, by number: how often it ran, was cancelled, was released.
final class Ledger: Sendable {
    private let entries: [Entry]

    final class Entry: Sendable {
        let ran = Atomic<Int>(0)
        let cancelled = Atomic<Int>(0)
        let released = Atomic<Int>(0)
    }

    /// Its end is the closure's release.
    private final class Token: Sendable {
        let entry: Entry

        init(_ entry: Entry) {
            self.entry = entry
            Probe.alive.add()
        }

        deinit {
            entry.released.wrappingAdd(1, ordering: .relaxed)
            Probe.alive.add(-1)
        }
    }

    init(_ count: Int) {
        entries = (0..<count).map { _ in Entry() }
    }

    /// The closure of a number.
    func work(_ number: Int) -> @Sendable () -> Void {
        let token = Token(entries[number])
        return { token.entry.ran.wrappingAdd(1, ordering: .relaxed) }
    }

    func cancelled(_ number: Int) {
        entries[number].cancelled.wrappingAdd(1, ordering: .relaxed)
    }

    func hasRun(_ number: Int) -> Bool { entries[number].ran.load(ordering: .relaxed) != 0 }

    /// How often timers ran, and were cancelled, in all.
    var totals: (ran: Int, cancelled: Int) {
        entries.reduce((0, 0)) {
            (
                $0.0 + $1.ran.load(ordering: .relaxed),
                $0.1 + $1.cancelled.load(ordering: .relaxed)
            )
        }
    }

    /// Numbers whose closure did not end in exactly one way, or was not released exactly once.
    /// `others`: closures may also have been released in a third way, by a shutdown.
    func broken(others: Bool = false) -> [Int] {
        entries.indices.filter { number in
            let entry = entries[number]
            let ends =
                entry.ran.load(ordering: .relaxed) + entry.cancelled.load(ordering: .relaxed)
            return entry.released.load(ordering: .relaxed) != 1
                || !(ends == 1 || (others && ends == 0))
        }
    }
}
