// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Foundation

/// A loop of the C interface whose work is cells. Shuts down when it goes.
final class TestLoop: @unchecked Sendable {  // because the loop decides which thread calls what
    let record: OpaquePointer

    init(
        _ drive: swivel_drive = SWIVEL_OWN_THREAD, turnCount: UInt32 = 0, busyPoll: UInt64 = 0,
        hooks: UnsafePointer<swivel_hooks> = swivel_cell_hooks()
    ) throws {
        var config = swivel_config()
        config.drive = drive
        config.hooks = hooks
        config.turn_count = turnCount
        config.busy_poll_ns = busyPoll
        config.manual_start_ns = 1
        var made: OpaquePointer?
        let status = swivel_loop_create(&config, &made)
        guard let made, status == SWIVEL_OK else { throw Refusal(status: status) }
        record = made
    }

    deinit { swivel_loop_release(record) }

    struct Refusal: Error {
        let status: Int32
    }

    // MARK: - For any thread

    @discardableResult
    func post(_ cell: Cell) -> Int32 { swivel_post(record, cell.work) }

    func schedule(after delay: UInt64, leeway: UInt64 = 0, _ cell: Cell) -> swivel_timer {
        swivel_schedule(record, delay, leeway, cell.work)
    }

    func schedule(at deadline: UInt64, _ cell: Cell) -> swivel_timer {
        swivel_schedule_at(record, deadline, 0, cell.work)
    }

    func schedule(every interval: UInt64, from first: UInt64, _ cell: Cell) -> swivel_timer {
        var grid = swivel_grid()
        grid.first_ns = first
        grid.interval_ns = interval
        return swivel_schedule_every(record, &grid, 0, cell.work)
    }

    func keep(_ cell: Cell) -> swivel_timer { swivel_reusable_create(record, cell.work) }

    var now: UInt64 { swivel_loop_now(record) }

    var counters: swivel_counters {
        var counters = swivel_counters()
        swivel_loop_counters(record, &counters)
        return counters
    }

    @discardableResult
    func shutdown(
        _ mode: swivel_shutdown_mode = SWIVEL_CANCEL_PENDING, within: UInt64 = 0
    ) -> swivel_report {
        var report = swivel_report()
        swivel_loop_shutdown(record, mode, within, &report)
        return report
    }

    /// Waits until everything that was posted before has run.
    func flush() {
        let fence = Cell()
        post(fence)
        fence.awaitRun()
    }

    // MARK: - For the driving thread

    func advance(to instant: UInt64) { swivel_loop_advance(record, instant, .max) }
    func advance(by delay: UInt64) { advance(to: now + delay) }

    @discardableResult
    func runOnce(wait: Bool = false) -> Bool {
        var more = false
        swivel_loop_run_once(record, wait, &more)
        return more
    }
}

/// Work that counts what happens to it, and may do something.
final class Cell: @unchecked Sendable {  // because the C cell counts with atomics
    let cell: OpaquePointer
    private let body: (@Sendable () -> Void)?

    init(_ body: (@Sendable () -> Void)? = nil) {
        self.body = body
        cell = swivel_cell_make(nil, nil)
        guard body != nil else { return }
        swivel_cell_set_body(
            cell,
            { argument, _ in
                guard let argument else { return }
                Unmanaged<Cell>.fromOpaque(argument).takeUnretainedValue().body?()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { swivel_cell_free(cell) }

    var work: swivel_work { swivel_cell_work(cell) }
    var ran: Int { Int(swivel_cell_ran(cell)) }
    var ticks: Int { Int(swivel_cell_ticks(cell)) }
    var released: Int { Int(swivel_cell_released(cell)) }
    var began: UInt64 { swivel_cell_began_ns(cell) }

    /// Waits until it has run, ticked or been released so often.
    func awaitRun(_ count: Int = 1) { awaitUntil { self.ran >= count } }
    func awaitRelease(_ count: Int = 1) { awaitUntil { self.released >= count } }
}

/// Waits until `isDone`. Ends the program after a minute: something was lost.
func awaitUntil(_ isDone: () -> Bool) {
    let limit = swivel_now_ns() + 60_000_000_000
    while !isDone() {
        usleep(50)
        if swivel_now_ns() > limit {
            fatalError("waited for a minute")
        }
    }
}
