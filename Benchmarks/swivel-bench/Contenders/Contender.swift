// SPDX-License-Identifier: Apache-2.0
internal import BenchKit

/// Something that runs closures one after the other, on a thread or a queue of its own.
///
/// A contender says how it does each thing, and no more. The work that is measured is written once,
/// in `Work`, and each contender gets its own compiled copy of it.
protocol Contender: PostWork {
    /// The name in the rows.
    static var name: String { get }

    /// A fresh one.
    static func open() throws -> Self

    /// A fresh one on a processor of this number, if it can choose one.
    static func open(on processor: Int?) throws -> Self

    /// Ends it, and tells how many closures it had not run by then.
    func close() -> Int

    func post(_ work: consuming @escaping @Sendable () -> Void)
}

extension Contender {
    static func open(on processor: Int?) throws -> Self { try open() }
}

/// A contender with timers.
protocol TimerContender: Contender, TimerWork {
    associatedtype Handle

    /// Whether `cancel` and `rearm` tell what they found. Where they do not, only the firings are
    /// compared with what they had to be.
    static var answers: Bool { get }

    /// Whether other threads than its own may arm and cancel.
    static var takesThreads: Bool { get }

    /// The most timers that it arms in a reasonable time.
    static var most: Int { get }

    /// The time, in nanoseconds and roughly, to arm a timer and cancel it while others stand by: the
    /// lab makes fewer operations of a slow one.
    static func pairCost(outstanding: Int) -> Int

    /// How old it is before anything is measured on it, in nanoseconds.
    static var age: UInt64 { get }

    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> Handle

    /// Fires at an instant of the monotonic clock, in nanoseconds, or up to `leeway` later.
    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> Handle

    /// Cancels a timer; `false` if it had fired.
    func cancel(_ handle: Handle) -> Bool

    /// Moves a timer that stands by. `work` is what it was armed with, for those that have to arm
    /// another one.
    func rearm(
        _ handle: inout Handle, after delay: Delay, _ work: @escaping @Sendable () -> Void
    ) -> Bool
}

/// A contender with repeating timers.
protocol TickingContender: TimerContender, IntervalWork {
    associatedtype Repeating = Handle

    /// - Parameter work: gets the place of the timer's grid, in nanoseconds: the instant of this tick
    ///   less its index times the interval; `nil` from those that do not tell.
    func every(
        _ interval: Int, startingAfter: Int, leeway: Int,
        _ work: @escaping @Sendable (_ grid: Int?) -> Void
    ) -> Repeating

    /// Ends a repeating timer; `false` if it had ended.
    func stop(_ repeating: Repeating) -> Bool
}

/// A contender in which an operation with an id replaces the pending one with that id.
protocol ReplacingContender: TimerContender, ReplacingWork {
    func replace(_ id: String, after delay: Delay, _ work: @escaping @Sendable () -> Void)
}

extension TimerContender {
    static var answers: Bool { true }
    static var takesThreads: Bool { true }
    static var most: Int { .max }
    static var age: UInt64 { 0 }

    /// As many turns as fit into this many nanoseconds; at least one.
    static func turns(outstanding: Int, in nanoseconds: Int) -> Int {
        let turn = pairCost(outstanding: outstanding) * Turns.operations
        return min(200, max(1, nanoseconds / turn))
    }

    /// Whether as many timers can be cancelled one by one within a second or so.
    static func canCancelAll(_ count: Int) -> Bool {
        pairCost(outstanding: count) / 2 * count < 2_000_000_000
    }
}

extension TickingContender where Repeating == Handle {
    func stop(_ repeating: Handle) -> Bool { cancel(repeating) }
}

/// A delay drawn beforehand, in the form that each contender takes.
struct Delay: Sendable {
    private let table: Delays
    private let place: Int

    init(_ table: Delays, _ index: Int) {
        self.table = table
        place = index & table.mask
    }

    var duration: Duration { table.durations[place] }
    var nanoseconds: Int { table.nanoseconds[place] }
}

extension Delays {
    /// The delay with this number, counted round.
    subscript(_ index: Int) -> Delay { Delay(self, index) }

    /// One and the same delay, for the end of a measurement and the like.
    static let millisecond = Delays(1_000_000..<1_000_001, seed: 1)
    static let fiveSeconds = Delays(5_000_000_000..<5_000_000_001, seed: 1)
    static let tenMinutes = Delays(600_000_000_000..<600_000_000_001, seed: 1)
}
