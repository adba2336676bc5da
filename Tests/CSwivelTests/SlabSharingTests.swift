// SPDX-License-Identifier: Apache-2.0
import Testing

/// How nodes go to other threads and come back.
@Suite struct SlabSharingTests {
    @Test func aBatchHasThirtyTwoNodesThatNobodyElseHas() {
        let slab = SlabFixture()
        let batches = (0..<500).map { _ in slab.draw() }
        #expect(batches.allSatisfy { $0.count == SlabFixture.batch })
        let all = batches.flatMap { $0 } + slab.alloc(10_000)
        #expect(Set(all).count == all.count)
    }

    @Test func threadsDrawDistinctNodesAtTheSameTime() async throws {
        let slab = SlabFixture()
        let drawn = try await onThreads(4) { _ in
            (0..<400).flatMap { _ in slab.draw() }
        }
        let all = drawn.flatMap { $0 }
        #expect(all.count == 4 * 400 * SlabFixture.batch)
        #expect(Set(all).count == all.count)
    }

    @Test func whatAThreadLeavesIsDrawnNext() {
        let slab = SlabFixture()
        let batch = slab.draw()
        let rest = Array(batch.suffix(5))
        slab.undraw(rest)
        #expect(slab.draw() == rest)
    }

    /// A thread that ends has ended lives of its nodes, of which the loop does not know: when their
    /// pages come back, they go on behind these.
    @Test func aThreadThatEndsTellsHowFarItsNodesAre() {
        let slab = SlabFixture()
        let batches = (0..<512).map { _ in slab.draw() }
        // One of each chunk; the slab keeps the pages of one.
        let used = stride(from: 0, to: 512, by: 128).map { batches[$0] }
        for batch in used {
            slab.setGeneration(batch[5], 1_000)
            slab.undraw(batch)
        }
        let others = batches.flatMap { $0 }.filter { index in !used.contains { $0.contains(index) }
        }
        slab.takeOver(others.count)
        slab.release(others)
        slab.endBurst()
        slab.giveAll()
        #expect((0..<4).contains { slab.residentPages($0) == 0 })
        _ = slab.alloc(512 * SlabFixture.batch)
        for batch in used {
            #expect(slab.generation(batch[5]) >= 1_000)
        }
    }

    @Test func theLoopRepaysAsManyNodesAsOthersTook() {
        let slab = SlabFixture()
        let taken = slab.draw() + slab.draw()
        slab.takeOver(taken.count)
        slab.release(taken)
        // The second batch is full; it goes out with the next node that is freed.
        #expect(Set(slab.draw()).isSubset(of: taken))
    }

    @Test func aRepaidNodeHasTheNextGeneration() {
        let slab = SlabFixture()
        let taken = (0..<3).flatMap { _ in slab.draw() }
        let generation = slab.generation(taken[0])
        slab.takeOver(taken.count)
        slab.release(taken)
        for index in slab.draw() {
            #expect(slab.generation(index) == generation + 1)
        }
    }

    @Test func onlySoManyNodesWaitForOthers() {
        let slab = SlabFixture()
        let count = 200 * SlabFixture.batch
        let taken = (0..<200).flatMap { _ in slab.draw() }
        slab.takeOver(count)
        slab.release(taken)
        #expect(slab.live == 0)
        // 64 batches and the one being filled are kept for others; the loop has the rest.
        let loops = Set(slab.alloc(count - 65 * SlabFixture.batch))
        #expect(loops.isSubset(of: taken))
    }

    @Test func theEndOfABurstTakesBackWhatWaitsForOthers() {
        let slab = SlabFixture()
        let taken = (0..<512).flatMap { _ in slab.draw() }
        slab.takeOver(taken.count)
        slab.release(taken)
        slab.endBurst()
        slab.giveAll()
        let pages = (0..<5).map { slab.residentPages($0) }
        #expect(pages.filter { $0 > 0 }.count <= 3, "one spare chunk, those half carved: \(pages)")
        let again = slab.alloc(taken.count)
        #expect(Set(again).count == again.count)
    }

    /// Nodes that are held ready for other threads may keep a chunk each.
    @Test func whatWaitsForOthersIsTakenBackInSteps() {
        let slab = SlabFixture()
        let batches = (0..<64).map { _ in slab.draw() }
        slab.takeOver(64 * SlabFixture.batch)
        slab.release(batches.flatMap { $0 })
        slab.endBurst()
        var steps = 0
        while slab.give() { steps += 1 }
        #expect(steps >= 64 * SlabFixture.batch / 256)
    }

    @Test func aClosedSlabHandsNothingOutAndTakesNothingBack() {
        let slab = SlabFixture()
        let held = slab.draw()
        slab.close()
        #expect(slab.draw().isEmpty)
        slab.undraw(held)
        slab.reset()
        let all = (0..<100).flatMap { _ in slab.draw() }
        #expect(Set(all).count == all.count, "what a thread of the former life held is void")
    }

    /// Everything at once, against two sets.
    @Test func randomTrafficNeverGivesANodeOrAHandleOutTwice() {
        let seed = announcedSeed("SlabSharingTests")
        var random = SeededRandom(seed: seed)
        let slab = SlabFixture()
        var inUse: [UInt32] = []
        var magazines: [[UInt32]] = []
        var held: Set<UInt32> = []
        var handles: Set<UInt64> = []

        func start(_ index: UInt32) {
            let handle = UInt64(slab.generation(index)) << 32 | UInt64(index)
            #expect(handles.insert(handle).inserted, "seed \(seed): a handle names two timers")
            inUse.append(index)
        }
        func hold(_ index: UInt32) {
            #expect(held.insert(index).inserted, "seed \(seed): node \(index) is given out twice")
        }
        for _ in 0..<100_000 {
            switch random.below(10) {
            case 0..<3:
                guard let index = slab.alloc() else { continue }
                hold(index)
                start(index)
            case 3..<4:
                let batch = slab.draw()
                batch.forEach(hold)
                magazines.append(batch)
            case 4..<6 where !magazines.isEmpty:
                let magazine = random.below(magazines.count)
                let index = magazines[magazine].removeLast()
                if magazines[magazine].isEmpty { magazines.remove(at: magazine) }
                slab.takeOver(1)
                start(index)
            case 6 where !magazines.isEmpty:
                let rest = magazines.remove(at: random.below(magazines.count))
                slab.undraw(rest)
                held.subtract(rest)
            case 7 where random.once(in: 500):
                slab.endBurst()
            case 8 where random.once(in: 4):
                slab.give()
            default:
                // Bursts of frees, so that chunks empty.
                for _ in 0..<random.below(4) where !inUse.isEmpty {
                    inUse.swapAt(random.below(inUse.count), inUse.count - 1)
                    let index = inUse.removeLast()
                    held.remove(index)
                    slab.release(index)
                }
            }
        }
        #expect(slab.live == inUse.count)
    }
}
