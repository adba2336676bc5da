// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Memory that the consumer leaves for producers to free.
@Suite(.serialized) struct DeferredFreeTests {
    /// Sends entries with these second words, takes them again, and leaves the double of the even
    /// ones. Returns how many are left.
    private func pass(_ entries: Range<UInt64>, through inbox: InboxFixture) -> Int {
        for number in entries { _ = inbox.push(1, number) }
        var left = 0
        for number in entries {
            #expect(inbox.take()?.second == number)
            left += number % 2 == 0 && inbox.deferFree(2 * number) ? 1 : 0
        }
        return left
    }

    @Test func theProducerThatClaimsTheSlotFreesTheMemory() {
        let before = InboxFixture.freed
        let inbox = InboxFixture()
        // All but one: when the last entry has been taken, its segment is empty.
        #expect(pass(1..<513, through: inbox) == 255)
        #expect(InboxFixture.freed == before)
        var sum: UInt64 = 0
        for number in 1..<512 as Range<UInt64> {
            _ = inbox.push(1, 7)
            sum += number % 2 == 0 ? 2 * number : 0
            #expect(InboxFixture.freed.sum == before.sum + sum)
        }
        for _ in 1..<512 { #expect(inbox.take()?.second == 7, "and nothing is freed") }
    }

    @Test func aSegmentThatIsFreedFreesItsDeferredMemory() {
        let before = InboxFixture.freed
        let inbox = InboxFixture()
        let deferred = UInt64(pass(1..<(20 * 512 + 100), through: inbox))
        #expect(inbox.spares == 3, "for the next producers")
        inbox.close()
        inbox.reopen()
        #expect(inbox.spares == 0 && inbox.segments == 0)
        #expect(InboxFixture.freed.count == before.count + deferred)
    }

    @Test func aWordThatWasNotLeftIsNotFreed() {
        let before = InboxFixture.freed
        let inbox = InboxFixture()
        for _ in 0..<5 {
            for number in 1..<700 as Range<UInt64> { _ = inbox.push(1, number) }
            while inbox.take() != nil {}
        }
        inbox.close()
        inbox.reopen()
        #expect(InboxFixture.freed == before)
    }

    /// The loop of a closure that forks is dead in the child, where the closure goes on.
    @Test func anInboxWithoutSegmentsDefersNothing() {
        let before = InboxFixture.freed
        let inbox = InboxFixture()
        _ = inbox.push(1, 1)
        #expect(inbox.take()?.second == 1)
        inbox.close()
        inbox.reset()
        #expect(!inbox.deferFree(2))
        inbox.reopen()
        #expect(InboxFixture.freed == before)
    }

    @Test(arguments: [1, 2, 8] as [UInt32])
    func eachBlockIsFreedOnce(producers: UInt32) {
        #expect(swivel_inbox_deferred_free_storm(producers, UInt64(400_000 / producers)) == 0)
    }
}
