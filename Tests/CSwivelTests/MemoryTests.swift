// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

@Suite struct MemoryTests {
    struct Hoard: Sendable, CustomTestStringConvertible {
        let name: String
        let isElsewhere: Bool, isShuffled: Bool
        var isCrossed = false

        var testDescription: String { name }
    }

    static let hoards = [
        Hoard(name: "on the loop", isElsewhere: false, isShuffled: false),
        Hoard(name: "on the loop, shuffled", isElsewhere: false, isShuffled: true),
        Hoard(name: "on another thread", isElsewhere: true, isShuffled: false),
        Hoard(name: "on another thread, shuffled", isElsewhere: true, isShuffled: true),
        Hoard(name: "from another thread", isElsewhere: false, isShuffled: false, isCrossed: true),
        Hoard(
            name: "from another thread, shuffled", isElsewhere: false, isShuffled: true,
            isCrossed: true),
    ]

    @Test(
        .enabled(if: !swivel_is_under_tsan() && !swivel_is_under_asan(), "shadows have weight"),
        arguments: hoards)
    func cancelledTimeoutsGiveTheirMemoryBack(_ hoard: Hoard) async throws {
        let result = try await offPool {
            var memory = swivel_hoard()
            memory.count = isDebugBuild ? 200_000 : 1_000_000
            memory.elsewhere = hoard.isElsewhere
            memory.shuffled = hoard.isShuffled
            memory.crossed = hoard.isCrossed
            swivel_hoard_run(&memory)
            return memory
        }
        print("MemoryTests, \(hoard.name): \(result.left_kb) of \(result.grown_kb) kB are left")
        let count = UInt64(isDebugBuild ? 200_000 : 1_000_000)
        #expect(result.cancelled == count)
        #expect(result.grown_kb * 1024 <= count * 72, "at most 72 bytes a timer")
        // A loop keeps the same memory ready for any number of timers: a chunk, a few pages.
        let fixed: UInt64 = isDebugBuild ? 768 : 0
        #expect(result.left_kb * 20 < result.grown_kb + fixed * 20)
    }

    /// A thread holds a batch of nodes for each loop on which it arms timers.
    @Test func aThreadThatEndsGivesItsNodesBack() async {
        // More nodes than four chunks have, if each thread kept its batch.
        // In a process of its own: a loop's record keeps the chunks of its earlier lives.
        await #expect(processExitsWith: .success) {
            precondition(swivel_chunks_after_threads(600) == 1)
        }
    }

    @Test func whatIsLeftGoesBackInSteps() {
        // Two mappings, of 3 MB and of little more than the smallest, and a piece of the heap's.
        #expect(swivel_pages_fixture_steps([3 << 20, 65537, 100], 3) == 7)
    }

    /// A cancel allocates nothing, on any thread.
    @Test func aThreadThatOnlyCancelsKeepsNothing() throws {
        let loop = try TestLoop(SWIVEL_MANUAL)
        let cell = Cell()
        var timer = swivel_timer()
        runOnThread {
            timer = loop.schedule(after: 3_600_000_000_000, cell)
            #expect(swivel_thread_magazines() > 0)
        }
        runOnThread {
            #expect(swivel_cancel(timer) == SWIVEL_CANCELLED)
            #expect(swivel_thread_magazines() == 0)
        }
        #expect(cell.released == 1)
    }
}
