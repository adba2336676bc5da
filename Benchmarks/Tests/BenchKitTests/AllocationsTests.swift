// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import CAllocCount
internal import Foundation
internal import Testing

/// The counter sees what the Swift runtime allocates, exactly.
@Suite(.serialized, .enabled(if: Allocations.areCounted))
struct AllocationsTests {
    private final class Object {
        var value = 1
    }

    /// Keeps a closure from being built on the stack.
    @inline(never)
    private func escape(_ body: @escaping () -> Int) -> () -> Int { body }

    @inline(never)
    private func use(_ body: () -> Int) -> Int { body() }

    @Test func aCapturingClosureIsOneAllocation() {
        let object = Object()
        for number in 1..<5 {
            var kept: (() -> Int)?
            let count = Allocations.ofThread { kept = escape { object.value + number } }
            #expect(count == 1)
            #expect(kept.map(use) == 1 + number)
        }
    }

    @Test func aPlainClosureIsNone() {
        var kept: (() -> Int)?
        #expect(Allocations.ofThread { kept = escape { 7 } } == 0)
        #expect(kept.map(use) == 7)
    }

    @Test func everyObjectIsOneAllocation() {
        var objects: [Object] = []
        objects.reserveCapacity(1_000)
        let count = Allocations.ofThread {
            for _ in 0..<1_000 { objects.append(Object()) }
        }
        #expect(count == 1_000)
        #expect(objects.count == 1_000)
    }

    @Test func everyCallOfTheAllocatorCounts() {
        let count = Allocations.ofThread {
            let plain = malloc(10)
            let zeroed = calloc(2, 10)
            let grown = realloc(plain, 100_000)
            var aligned: UnsafeMutableRawPointer?
            #expect(posix_memalign(&aligned, 64, 100) == 0)
            #expect(Int(bitPattern: aligned).isMultiple(of: 64))
            free(zeroed)
            free(grown)
            free(aligned)
        }
        #expect(count >= 4)
    }

    @Test func whatAnotherThreadAllocatesCountsForTheProcessOnly() {
        var ofProcess = 0
        let own = Allocations.ofThread {
            let mark = AllocationMark()
            let producers = Producers(1) { _ in
                // Kept for a moment: the compiler removes blocks that nobody can see.
                let blocks = Kept<UnsafeMutableRawPointer?>(10_000)
                for _ in 0..<10_000 { blocks.append(malloc(10)) }
                blocks.forEach { free($0) }
            }
            producers.release()
            producers.join()
            ofProcess = mark.end()
        }
        #expect(ofProcess >= 10_000)
        // Making the thread takes some here.
        #expect(own < 1_000)
    }

    @Test func nothingCountsOutside() {
        let before = alloc_count_of_thread()
        let object = Object()
        #expect(alloc_count_of_thread() == before)
        #expect(object.value == 1)
    }
}
