// SPDX-License-Identifier: Apache-2.0

internal import CCores
internal import Foundation
internal import Synchronization

/// The cores that the threads of a measurement may use. Left alone, the kernel runs a producer and
/// its consumer on one core in one round and on two in the next, at half or twice the cost. Every
/// side is therefore measured with each producer on a core of its own. Systems other than Linux,
/// where this does nothing, place threads as they like.
package enum Cores {
    /// Gives the calling thread the core with this number, counted round.
    package static func take(_ number: Int) {
        guard !atStart.isEmpty else { return }
        cores_confine(0, 1 << atStart[number % atStart.count])
    }

    /// Moves every thread there is to the cores that this many producers leave free, if they leave
    /// any. Producers take theirs afterwards.
    package static func leaveFree(_ producers: Int) {
        guard producers < atStart.count else { return }
        confineAll(to: atStart[producers...])
    }

    /// Lets every thread run anywhere again.
    package static func release() {
        if !atStart.isEmpty { confineAll(to: atStart[...]) }
    }

    /// How much room each of the first cores has, see `cores_room`. The calling thread visits them,
    /// and may run anywhere afterwards. Elsewhere than on Linux it stays where it is.
    package static func room() -> [Double] {
        let visited = atStart.prefix(visits)
        defer { cores_confine(0, all) }
        return (visited.isEmpty ? [0] : visited).map { core in
            cores_confine(0, 1 << core)
            // An interrupt in the midst of a reading distorts it, to either side.
            return Statistics.median((0..<5).map { _ in cores_room() })
        }
    }

    /// The number of the core for threads that are measured alone.
    private static let chosen = Atomic(0)

    /// Whether a thread has stayed on that core since it was chosen.
    private static let stayed = Atomic(false)

    /// Chooses that core: the one that has the largest share of its room.
    package static func choose(byShares shares: [Double]) {
        let best = shares.indices.max { shares[$0] < shares[$1] }
        chosen.store(best ?? 0, ordering: .relaxed)
        stayed.store(false, ordering: .relaxed)
    }

    /// The chosen core if the work since was that of one thread, which stayed there.
    package static var onlyOne: Int? {
        stayed.load(ordering: .relaxed) ? chosen.load(ordering: .relaxed) : nil
    }

    /// Keeps the calling thread on the chosen core until ``leave()``. Each side has one thread that
    /// works; left alone, the kernel runs one of them where a neighbour is and the other one where
    /// there is none, round after round.
    package static func stay() {
        take(chosen.load(ordering: .relaxed))
        stayed.store(true, ordering: .relaxed)
    }

    /// The number of the chosen core, for a process whose one thread stays there: counted as by
    /// ``take(_:)``, among the cores that both processes were started with.
    package static func stayElsewhere() -> Int {
        stayed.store(true, ordering: .relaxed)
        return chosen.load(ordering: .relaxed)
    }

    /// Lets the calling thread run anywhere again.
    package static func leave() {
        if !atStart.isEmpty { cores_confine(0, all) }
    }

    private static var all: UInt64 { atStart.reduce(0) { $0 | 1 << UInt64($1) } }

    /// Where there are many cores, few tell enough.
    private static let visits = 4

    /// The cores that the process was started with.
    private static let atStart = (0..<64).filter { cores_of_thread(0) >> $0 & 1 == 1 }

    private static func confineAll(to cores: ArraySlice<Int>) {
        let mask = cores.reduce(UInt64(0)) { $0 | 1 << $1 }
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        for thread in threads ?? [] {
            if let thread = Int32(thread) { cores_confine(thread, mask) }
        }
    }
}
