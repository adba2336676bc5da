// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import Synchronization
import Testing

private let never = swivel_mono(ns: .max)

/// A parker, and whether its thread has gone on.
private final class Fixture: @unchecked Sendable {
    // because the parker's functions say which thread may call them.
    let parker = UnsafeMutablePointer<swivel_parker>.allocate(capacity: 1)
    let isOver = Atomic(false)

    init() { parker.initialize(to: swivel_parker()) }

    deinit { parker.deallocate() }
}

private final class LatchFixture: @unchecked Sendable {
    // because any thread may use a latch.
    let latch = UnsafeMutablePointer<swivel_latch>.allocate(capacity: 1)

    init() { latch.initialize(to: swivel_latch()) }

    deinit { latch.deallocate() }
}

/// Keeps the calling thread on a processor. False: there is none of that number for it.
private func pinned(to processor: Int32) -> Bool {
    swivel__thread_pin(pthread_self(), processor) == 0
}

@Suite struct ParkerTests {
    #if os(Linux)
    /// A thread that sleeps where its waker runs has to wait for that processor.
    @Test func aWakerKnowsWhetherTheSleeperWaitsForItsProcessor() async throws {
        let processors = try await offPool { (0..<64).filter(pinned(to:)) }
        for processor in processors.prefix(2) {
            let fixture = Fixture()
            async let slept: Void = offPool {
                #expect(pinned(to: processor))
                while !fixture.isOver.load(ordering: .acquiring) {
                    swivel__parker_sleep(fixture.parker, never)
                }
            }
            let isAwaited = try await offPool {
                #expect(pinned(to: processors[0]))
                while !swivel__parker_wake(fixture.parker) { sched_yield() }
                defer {
                    fixture.isOver.store(true, ordering: .releasing)
                    swivel__parker_wake(fixture.parker)
                }
                return swivel__take_awaited()
            }
            try await slept
            #expect(isAwaited == (processor == processors[0]))
        }
    }

    /// As above, of a thread that opens a latch.
    @Test func anOpenerKnowsWhetherTheSleeperWaitsForItsProcessor() async throws {
        let processors = try await offPool { (0..<64).filter(pinned(to:)) }
        for processor in processors.prefix(2) {
            let latch = LatchFixture()
            async let slept: Void = offPool {
                #expect(pinned(to: processor))
                #expect(swivel__latch_sleep(latch.latch, never))
            }
            try await offPool {
                #expect(pinned(to: processors[0]))
                usleep(20_000)
                let before = swivel__latch_open(latch.latch)
                swivel__latch_wake(latch.latch, before)
                let hasSlept = before & UInt32(SWIVEL_LATCH_SLEPT) != 0
                let isAwaited = hasSlept && processor == processors[0]
                #expect(swivel__take_awaited() == isAwaited)
            }
            try await slept
        }
    }
    #endif
}
