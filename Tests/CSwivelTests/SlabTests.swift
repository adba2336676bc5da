// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct SlabTests {
    private static let chunk = SlabFixture.chunkNodes

    @Test func aFreedNodeComesBackUnderTheNextGeneration() throws {
        let slab = SlabFixture()
        let index = try #require(slab.alloc())
        let generation = slab.generation(index)
        slab.release(index)
        #expect(slab.generation(index) == generation + 1)
        #expect(slab.alloc() == index)
        #expect(slab.generation(index) == generation + 1)
    }

    @Test func nodeZeroIsNeverHandedOut() {
        let slab = SlabFixture()
        let loops = slab.alloc(3 * Self.chunk)
        let drawn = (0..<300).flatMap { _ in slab.draw() }
        #expect(!loops.contains(0) && !drawn.contains(0))
        #expect(Set(loops + drawn).count == loops.count + drawn.count)
    }

    @Test func aNodeRetiresBeforeItsGenerationWraps() throws {
        let slab = SlabFixture()
        let index = try #require(slab.alloc())
        slab.setGeneration(index, SlabFixture.generationMax - 2)
        slab.release(index)
        #expect(slab.alloc() == index, "one life is left")
        slab.release(index)
        #expect(slab.generation(index) == SlabFixture.generationMax)
        #expect(!slab.alloc(3 * Self.chunk).contains(index))
        #expect(slab.live == 3 * Self.chunk)
    }

    @Test func aChunkWhoseGenerationsAreUsedUpIsNotOpenedAgain() {
        let slab = SlabFixture()
        // Chunk 0 has 4,095 nodes: each of these is a chunk.
        let first = slab.alloc(Self.chunk - 1)
        let second = slab.alloc(Self.chunk)
        slab.setGeneration(second[7], SlabFixture.generationMax - 2)
        slab.release(first)
        slab.release(second)
        slab.giveAll()
        #expect(slab.residentPages(1) == 0)
        let again = slab.alloc(8 * Self.chunk)
        #expect(Set(again).isDisjoint(with: second))
    }

    @Test func emptyChunksButOneGiveTheirPagesBack() {
        let slab = SlabFixture()
        let nodes = slab.alloc(6 * Self.chunk)
        #expect((0..<6).allSatisfy { slab.residentPages($0) == 64 })
        slab.release(nodes)
        slab.giveAll()
        let kept = (0..<7).filter { slab.residentPages($0) > 0 }
        #expect(kept.count <= 2, "one spare chunk, one half carved")
        #expect(slab.live == 0)
    }

    /// Timers that are cancelled at random leave all their chunks in the same moment.
    @Test func emptyChunksGiveTheirPagesBackInSteps() {
        let slab = SlabFixture()
        let nodes = slab.alloc(20 * Self.chunk)
        let isLast = { (node: UInt32) in node % UInt32(Self.chunk) == 7 }
        slab.release(nodes.filter { !isLast($0) })
        slab.release(nodes.filter(isLast))
        var resident = (0..<21).reduce(0) { $0 + slab.residentPages($1) }
        #expect(resident >= 20 * 64, "not with their last nodes")
        while slab.give() {
            let left = (0..<21).reduce(0) { $0 + slab.residentPages($1) }
            #expect(resident - left <= 2 * 64, "more than two chunks in one step")
            resident = left
        }
        #expect(resident <= 2 * 64)
    }

    @Test func anEmptyChunkIsUsedAgainBeforeItsPagesGo() {
        let slab = SlabFixture()
        let nodes = slab.alloc(8 * Self.chunk - 1)
        slab.release(nodes)
        #expect(Set(slab.alloc(nodes.count)) == Set(nodes))
        #expect(!slab.give())
    }

    @Test func aTimerThatOnlyItsLoopMovesCostsItsNode() {
        let slab = SlabFixture()
        let nodes = slab.alloc(2 * Self.chunk - 1)
        #expect((0..<2).allSatisfy { slab.residentPages($0) == 64 && slab.residentMoves($0) == 0 })
        slab.want(nodes[7], 1)
        #expect(slab.residentMoves(0) == 1 && slab.residentMoves(1) == 0)
        slab.release(nodes)
        slab.reset()
        #expect(slab.residentMoves(0) == 0)
    }

    @Test func aNodeThatThreadsAreMovingEndsWithTheLastOfThem() throws {
        let slab = SlabFixture()
        let index = try #require(slab.alloc())
        let generation = slab.generation(index)
        slab.setMovers(index, 2)
        slab.release(index)
        #expect(slab.generation(index) == generation && slab.live == 1)
        #expect(!slab.alloc(Self.chunk).contains(index))
        slab.setMovers(index, 0)
        slab.release(index)
        #expect(slab.generation(index) == generation + 1)
        #expect(slab.alloc() == index)
    }

    @Test func aStaleHandleReadsAReturnedNode() {
        let slab = SlabFixture()
        let nodes = slab.alloc(4 * Self.chunk)
        slab.release(nodes)
        slab.giveAll()
        for index in nodes where slab.residentPages(Int(index) >> 12) == 0 {
            #expect(slab.state(index) == 0)
        }
    }

    @Test func aChunkRemembersItsGenerationsWhenItsPagesGo() {
        let slab = SlabFixture()
        var handles: Set<UInt64> = []
        for _ in 0..<20 {
            let nodes = slab.alloc(3 * Self.chunk)
            for index in nodes {
                let handle = UInt64(slab.generation(index)) << 32 | UInt64(index)
                #expect(handles.insert(handle).inserted, "a handle names two timers")
            }
            slab.release(nodes)
            slab.giveAll()
        }
    }

    @Test func generationsSurviveTheRecordsNextLife() {
        let slab = SlabFixture()
        var handles: Set<UInt64> = []
        for life in 0..<30 {
            let nodes = slab.alloc(100) + slab.draw() + slab.draw()
            slab.takeOver(2 * SlabFixture.batch)
            for index in nodes {
                let handle = UInt64(slab.generation(index)) << 32 | UInt64(index)
                #expect(handles.insert(handle).inserted, "life \(life)")
            }
            slab.release(nodes)
            slab.reset()
            #expect(slab.residentPages(0) == 0)
        }
    }

    @Test func aSlabThatIsUsedUpSaysSoAndRecovers() throws {
        let slab = SlabFixture()
        slab.useUp()
        let last = slab.alloc(Self.chunk)
        #expect(last.count == Self.chunk)
        #expect(try #require(last.max()) < 1 << 27, "an index fits a message")
        #expect(slab.alloc() == nil)
        #expect(slab.draw().isEmpty)
        slab.release(last[9])
        #expect(slab.alloc() == last[9])
        #expect(slab.alloc() == nil)
    }
}
