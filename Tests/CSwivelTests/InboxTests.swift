// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

@Suite struct InboxTests {
    /// Entries in a segment.
    private static let segment: UInt64 = 512
    private static let outOfMemory: Int32 = -12

    @Test func consumedSegmentsGoAndOneIsKeptForTheNextProducer() {
        let inbox = InboxFixture()
        for round in 1...50 as ClosedRange<UInt64> {
            for _ in 0..<Self.segment {
                _ = inbox.push(round, round)
            }
            while inbox.take() != nil {}
            #expect(!inbox.endDrain())
            #expect(inbox.segments <= 1)
            #expect(inbox.spares == 1)
        }
    }

    @Test func aWakeWithoutAnEntryCountsAlsoWhileADrainIsHeldUp() {
        let inbox = InboxFixture()
        let claimed = inbox.claim()
        inbox.beginDrain()
        #expect(inbox.take() == nil)
        #expect(inbox.endDrain())
        #expect(!inbox.wake(), "it is awake")
        #expect(!inbox.park(), "it has been woken")
        inbox.beginDrain()
        #expect(inbox.take() == nil)
        #expect(inbox.park(), "nothing new")
        #expect(inbox.wake())
        inbox.unpark()
        inbox.publish(claimed, 2, 20)
        #expect(inbox.take()?.second == 20)
    }

    @Test func aReopenedInboxStartsEmptyAndWorks() {
        let inbox = InboxFixture()
        for life in 1...40 as ClosedRange<UInt64> {
            // Ends within a segment, at its edge and one behind it.
            for number in 0..<(Self.segment * 2 - 2 + life % 4) { _ = inbox.push(life, number) }
            inbox.close()
            while let entry = inbox.take() {
                #expect(entry.first == life)
            }
            inbox.reopen()
            #expect(inbox.isEmpty)
            #expect(inbox.segments == 0)
            #expect(inbox.spares == 0)
        }
    }

    @Test func aFullInboxRefusesWithoutHarm() {
        let inbox = InboxFixture()
        _ = inbox.push(1, 10)
        inbox.pretendFull(less: 0)
        #expect(inbox.push(2, 20) == Self.outOfMemory)
        inbox.pretendFull(less: 1)
        #expect(inbox.push(2, 20) == SWIVEL_OK)
        #expect(inbox.push(3, 30) == Self.outOfMemory)
        #expect(inbox.take()?.second == 10)
        #expect(inbox.take()?.second == 20)
        #expect(inbox.take() == nil)
        #expect(!inbox.endDrain())
        #expect(inbox.push(3, 30) == SWIVEL_OK)
        #expect(inbox.take()?.second == 30)
    }

    @Test func eightProducersLoseNothingAndKeepTheirOrder() async throws {
        let storm = try await offPool {
            let inbox = InboxFixture()
            let storm = inbox.storm(producers: 8, entriesEach: 200_000)
            #expect(inbox.isEmpty)
            return storm
        }
        #expect(storm.accepted == 1_600_000)
        #expect(storm.consumed == 1_600_000)
        #expect(storm.out_of_order == 0)
        #expect(storm.refused == 0)
    }

    @Test func aCloseAmongProducersAcceptsOrRefusesEachEntry() async throws {
        for _ in 0..<20 {
            let storm = try await offPool {
                InboxFixture().storm(producers: 4, entriesEach: 50_000, closeMidway: true)
            }
            #expect(storm.accepted + storm.refused == 200_000)
            #expect(storm.consumed == storm.accepted)
            #expect(storm.out_of_order == 0)
        }
    }
}
