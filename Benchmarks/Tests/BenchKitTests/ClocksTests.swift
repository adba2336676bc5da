// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
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

    /// The kernel adds a thread's time at ticks, which are milliseconds apart.
    @Test func theProcessClockSeesAThreadThatRuns() {
        let busy = BusyThread()
        defer { busy.stop() }
        Clocks.pause(20_000_000)
        let behind = (0..<50).map { _ in
            Clocks.pause(300_000)
            let least = busy.cpu + Clocks.threadCPU()
            return Clocks.elapsed(from: Clocks.processCPU(), to: least)
        }
        #expect(behind.allSatisfy { $0 == 0 })
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
