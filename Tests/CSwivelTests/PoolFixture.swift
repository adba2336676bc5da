// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Testing

/// A pool of the core whose threads are the test's.
final class PoolFixture: @unchecked Sendable {
    // because the pool's functions lock what they have to.
    let pool: OpaquePointer

    init(width: UInt32, limit: UInt32, unseen: UInt32 = 256) throws {
        pool = try #require(swivel__pool_make(width, limit, unseen))
    }

    deinit { swivel__pool_free(pool) }

    func push(_ number: Int) -> PoolActions {
        PoolActions(swivel__pool_push(pool, swivel_work(function: UInt(number + 1), context: 7)))
    }

    func push(_ number: Int, band: Int) -> PoolActions {
        let work = swivel_work(function: UInt(number + 1), context: 7)
        return PoolActions(swivel__pool_push_to(pool, UInt32(band), work))
    }

    /// A step of the monitor.
    func monitor(idle: UInt64 = 0) -> PoolActions { PoolActions(swivel__pool_monitor(pool, idle)) }

    func refuse() -> PoolActions { PoolActions(swivel__pool_refused(pool)) }

    var count: swivel_pool_count { swivel__pool_count(pool) }

    /// For a pool without threads.
    func take() -> Int? {
        var work = swivel_work()
        return swivel__pool_take(pool, &work) ? Int(work.function) - 1 : nil
    }
}

/// A thread of the pool, as far as the pool knows.
final class PoolWorker {
    private let fixture: PoolFixture
    private let worker = UnsafeMutablePointer<swivel_worker>.allocate(capacity: 1)

    init(_ fixture: PoolFixture) {
        self.fixture = fixture
        swivel__pool_join(fixture.pool, worker, nil)
    }

    deinit { worker.deallocate() }

    /// The next work, and what else is to be done; no work: the worker has left.
    func next(idle: UInt64 = 0) -> (number: Int?, actions: PoolActions) {
        var work = swivel_work()
        var actions = PoolActions(swivel__pool_next(fixture.pool, worker, idle, &work))
        let runs = actions.remove(.run) != nil
        return (runs ? Int(work.function) - 1 : nil, actions)
    }

    func beginWait(endless: Bool = false) -> PoolActions {
        PoolActions(swivel__pool_begin_wait(fixture.pool, worker, endless))
    }

    func endWait(endless: Bool = false) -> PoolActions {
        PoolActions(swivel__pool_end_wait(fixture.pool, worker, endless))
    }
}

/// The actions that a call of the pool returns.
struct PoolActions: OptionSet {
    let rawValue: Int32
    init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ actions: Int32) { rawValue = actions }
    static let start = PoolActions(Int32(SWIVEL_POOL_START))
    static let report = PoolActions(Int32(SWIVEL_POOL_REPORT))
    static let run = PoolActions(Int32(SWIVEL_POOL_RUN))
    static let stuck = PoolActions(Int32(SWIVEL_POOL_STUCK))
    static let watch = PoolActions(Int32(SWIVEL_POOL_WATCH))
    static let monitor = PoolActions(Int32(SWIVEL_POOL_MONITOR))
    static let end = PoolActions(Int32(SWIVEL_POOL_END))
    static let first = PoolActions(Int32(SWIVEL_POOL_FIRST))
}

/// A thread of a pool, which does each work when the test lets it.
final class PoolThread: @unchecked Sendable {
    // because the semaphores order what changes.
    private let fixture: PoolFixture
    private let goOn = DispatchSemaphore(value: 0)
    private let hasBegun = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private var thread: Int32 = 0
    private var ends = false
    private(set) var works = 0

    init(_ fixture: PoolFixture) { self.fixture = fixture }

    func start() {
        Thread { [self] in
            thread = swivel_process_thread()
            let worker = PoolWorker(fixture)
            while !ends, worker.next(idle: 60_000_000_000).number != nil {
                works += 1
                hasBegun.signal()
                goOn.wait()
            }
            hasEnded.signal()
        }.start()
    }

    /// Lets it end the work that it does, and waits until it sleeps for more.
    func fallAsleep() {
        hasBegun.wait()
        let before = fixture.count.idle
        goOn.signal()
        awaitUntil { fixture.count.idle > before }
        awaitUntil {
            let before = sleeps
            usleep(2_000)
            return sleeps == before
        }
    }

    func end() {
        hasBegun.wait()
        ends = true
        goOn.signal()
        hasEnded.wait()
    }

    /// How often it went to sleep.
    var sleeps: UInt64 { swivel_process_sleeps(thread) }
}

func == (
    _ got: (number: Int?, actions: PoolActions), _ wanted: (number: Int?, actions: PoolActions)
) -> Bool {
    got.number == wanted.number && got.actions == wanted.actions
}
