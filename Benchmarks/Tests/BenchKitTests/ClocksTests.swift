// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Synchronization
internal import Testing

@Suite(.serialized)
struct ClocksTests {
    /// Something that costs CPU time and cannot be removed.
    @inline(never)
    private func burn(_ nanoseconds: UInt64) {
        let end = Clocks.threadCPU() + nanoseconds
        while Clocks.threadCPU() < end {}
    }

    @Test func cpuTimeGrowsWithWorkAndNotWithSleep() {
        let start = Clocks.threadCPU()
        Clocks.pause(20_000_000)
        let slept = Clocks.threadCPU()
        burn(5_000_000)
        let worked = Clocks.threadCPU()
        #expect(slept - start < 5_000_000)
        #expect(worked - slept >= 5_000_000)
        #expect(Clocks.processCPU() >= worked)
    }

    @Test func pausesAreNeverShort() {
        let start = Clocks.wall()
        Clocks.pause(3_000_000)
        #expect(Clocks.wall() - start >= 3_000_000)
    }

    @Test func privateMemoryIsTheSumOfThePrivateLines() {
        let rollup = """
            55d0c0000000-7ffc0000 ---p 00000000 00:00 0 [rollup]
            Rss:                1000 kB
            Shared_Clean:        300 kB
            Private_Clean:       100 kB
            Private_Dirty:       500 kB
            Private_Hugetlb:       0 kB
            """
        #expect(Memory.privateBytes(inRollup: rollup) == 600 * 1024)
        #expect(Memory.privateBytes(inRollup: "Rss: 5 kB") == nil)
    }

    #if os(Linux)
    /// A thread that keeps a core busy and reads no clock.
    private final class Spinner: Sendable {
        let goesOn = Atomic(true)
        /// The name of its clock; 0 until it runs.
        let clock = Atomic<clockid_t>(0)

        init() {
            Thread.detachNewThread { [self] in
                var own = clockid_t()
                pthread_getcpuclockid(pthread_self(), &own)
                clock.store(own, ordering: .relaxed)
                while goesOn.load(ordering: .relaxed) {}
            }
        }
    }

    /// The kernel adds a running thread's time at ticks, and when somebody reads that thread's clock.
    /// Between two readings no core can have worked for longer than they lie apart.
    @Test func theProcessClockIsNotBehindAThreadThatRuns() {
        let spinner = Spinner()
        defer { spinner.goesOn.store(false, ordering: .relaxed) }
        while spinner.clock.load(ordering: .relaxed) == 0 { Clocks.pause(1_000_000) }
        let cores = UInt64(ProcessInfo.processInfo.activeProcessorCount)
        for _ in 0..<50 {
            Clocks.pause(300_000)
            let start = Clocks.wall()
            let told = Clocks.processCPU()
            var time = timespec()
            clock_gettime(spinner.clock.load(ordering: .relaxed), &time)
            let all = Clocks.processCPU()
            let most = cores * Clocks.elapsed(from: start, to: Clocks.wall())
            #expect(Clocks.elapsed(from: told, to: all) <= most)
        }
    }

    @Test func privateMemorySeesAMegabyte() throws {
        let before = try #require(Memory.privateResident())
        let count = 64 << 20
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 7, count: count)
        let after = try #require(Memory.privateResident())
        #expect(after - before >= count / 2)
        memory.deallocate()
    }
    #endif
}
