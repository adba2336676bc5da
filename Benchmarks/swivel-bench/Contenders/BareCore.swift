// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import CSwivel
internal import Rivals
internal import Swivel

/// A loop of Swivel's core in C, called without the Swift layer: a C function and its data where the
/// layer has a closure, and handles of C's. The same core runs below the subject, so the rows show
/// the cost of the layer.
final class BareCore: @unchecked Sendable {
    // because any thread may call the loop, and closures of its own alone use the handles.
    static let reason = "the same core, below the Swift layer: a function and its data, no closure"

    let loop: OpaquePointer
    let turns: Turns
    /// The timers that stand by.
    let handles: UnsafeMutablePointer<swivel_timer>
    /// How many of them have fired.
    let fired = Tally()
    private let outstanding: Int

    /// A fresh loop, at another place in memory than the one before, and as old as a `Loop` that is
    /// measured; see `Loop.open()` and `Loop.age`.
    init(outstanding: Int = 0) throws {
        let others = try (0..<MemoryPlaces.next()).map { _ in try Self.create() }
        let loop = try Self.create()
        others.forEach { swivel_loop_release($0) }
        let opened = Clocks.wall()
        self.loop = loop
        self.outstanding = outstanding
        // `nonisolated(unsafe)` because any thread may post to a loop.
        nonisolated(unsafe) let open = loop
        turns = Turns { Self.post($0, to: open) }
        handles = .allocate(capacity: max(outstanding, 1))
        turns.run { [self] in
            for index in 0..<outstanding { handles[index] = arm(index, counting) }
        }
        Clocks.pause(until: opened + Loop.age)
    }

    deinit { handles.deallocate() }

    private static func create() throws -> OpaquePointer {
        var loop: OpaquePointer?
        let status = swivel_loop_create(nil, &loop)
        guard let loop else {
            throw BenchFailure("no loop: \(String(cString: swivel_status_text(status)))")
        }
        return loop
    }

    /// Adds one to the count of the timers that stand by.
    var counting: swivel_work { Self.adding(to: fired) }

    /// Adds one to a count.
    static func adding(to tally: Tally) -> swivel_work {
        swivel_call({ $0?.assumingMemoryBound(to: Int.self).pointee &+= 1 }, tally.cell)
    }

    @inline(__always)
    func arm(_ index: Int, _ work: swivel_work) -> swivel_timer {
        let delays = Delays.far
        return swivel_schedule(loop, UInt64(delays.nanoseconds[index & delays.mask]), 0, work)
    }

    /// Runs a closure there: a turn of the lab's.
    func post(_ work: @escaping @Sendable () -> Void) { Self.post(work, to: loop) }

    private static func post(_ work: @escaping @Sendable () -> Void, to loop: OpaquePointer) {
        let box = Unmanaged.passRetained(Box(work)).toOpaque()
        let status = swivel_post(
            loop,
            swivel_call(
                { argument in
                    guard let argument else { return }
                    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
                }, box))
        precondition(status == 0, "the loop is open")
    }

    private final class Box {
        let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Cancels the timers that stand by, and ends the loop; see `Field.close`.
    ///
    /// - Parameter added: how many timers took the place of one that had fired.
    func close(_ measurement: inout Measurement, added: Int = 0) throws {
        let cancelled = Tally()
        turns.run { [self] in
            for index in 0..<outstanding where swivel_cancel(handles[index]) == SWIVEL_CANCELLED {
                cancelled.cell.pointee += 1
            }
        }
        try measurement.check(
            "standing by: cancelled or fired", cancelled.value + fired.value,
            is: outstanding + added)
        var report = swivel_report()
        swivel_loop_shutdown(loop, SWIVEL_CANCEL_PENDING, 0, &report)
        swivel_loop_release(loop)
        try measurement.check(
            "left behind", Int(report.cancelled_timers + report.cancelled_posts), is: 0)
    }
}
