// SPDX-License-Identifier: Apache-2.0
internal import CAllocCount
internal import Foundation

/// The cores that the threads of a measurement may use. Left alone, the kernel runs a producer and
/// its consumer on one core in one round and on two in the next, at half or twice the cost. Systems
/// other than Linux, where all of this does nothing, place threads as they like.
package enum Cores {
    /// Where two threads that meet are.
    package enum Placement: String, Sendable {
        case apart = "a processor each"
        case shared = "one processor"
    }

    /// Gives the calling thread the core with this number, counted round.
    package static func take(_ number: Int) {
        guard !atStart.isEmpty else { return }
        confine(0, to: 1 << atStart[number % atStart.count])
    }

    /// The processor with this number, as `Loop.Configuration.cpu` has it.
    package static func processor(_ number: Int) -> Int? {
        atStart.isEmpty ? nil : atStart[number % atStart.count]
    }

    /// Moves every thread to the cores that this many producers leave free, if they leave any.
    /// Producers take theirs afterwards.
    package static func leaveFree(_ producers: Int) {
        guard producers < atStart.count else { return }
        confineAll(to: atStart[producers...])
    }

    /// Puts the calling thread on a core of its own and all others on the rest, or all on one core.
    package static func place(_ placement: Placement) {
        switch placement {
        case .apart:
            leaveFree(1)
            take(0)
        case .shared: confineAll(to: atStart.prefix(1))
        }
    }

    /// Lets every thread run anywhere again.
    package static func release() { confineAll(to: atStart[...]) }

    /// Keeps the calling thread on one core until ``leave()``, as the work of one thread is measured.
    package static func stay() { take(0) }

    /// Lets the calling thread run anywhere again.
    package static func leave() {
        if !atStart.isEmpty { confine(0, to: mask(atStart[...])) }
    }

    /// The cores that the process was started with.
    private static let atStart: [Int] = {
        #if os(Linux)
        var set = [UInt64](repeating: 0, count: 16)
        guard cores_of_thread(0, 128, &set) == 0 else { return [] }
        return (0..<64).filter { set[0] >> $0 & 1 == 1 }
        #else
        return []
        #endif
    }()

    /// Lets a thread run on these cores only; 0 is the caller. One that has ended is passed over.
    private static func confine(_ thread: Int32, to mask: UInt64) {
        #if os(Linux)
        cores_confine(thread, 128, [mask] + [UInt64](repeating: 0, count: 15))
        #endif
    }

    private static func mask(_ cores: ArraySlice<Int>) -> UInt64 {
        cores.reduce(0) { $0 | 1 << UInt64($1) }
    }

    private static func confineAll(to cores: ArraySlice<Int>) {
        guard !cores.isEmpty else { return }
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        for thread in threads ?? [] {
            if let thread = Int32(thread) { confine(thread, to: mask(cores)) }
        }
    }
}
