// SPDX-License-Identifier: Apache-2.0
@testable import SwivelCore
import SwivelTestSupport
import Synchronization
import Testing

/// The table of an `IdleTracker` behind the tracker's back: T1.
@Suite(.offPool) struct IdleTableTests {
    private func table(on loop: Loop) -> IdleTable<Int> {
        let clock = IdleClock(limit: 1_000_000_000, resolution: nil, isExact: true)
        return IdleTable(on: loop, clock) { _ in }
    }

    /// A table that has ended has given its slots away. A late caller, its timer on the
    /// loop or a thread with an entry, does nothing to those of the next one.
    @Test func aTableThatHasEndedLeavesItsSlotsAlone() throws {
        let (loop, other) = (try manualLoop(), try manualLoop())
        let old = table(on: loop)
        let stale = (0..<3_000).map { old.add($0) }
        old.close()
        let next = table(on: other)
        let entries = (0..<3_000).map { next.add($0) }
        #expect(entries.map(\.slot.head) == stale.map(\.slot.head), "it has the other slots")
        loop.advance(by: .seconds(2))
        let late = LoopTimer(on: loop, deciding: { old.step($0) })
        late.arm(after: .zero)
        loop.advance(by: .seconds(1))
        #expect(!old.remove(entries[0].slot.index, entries[0].generation))
        #expect(old.count == 0 && next.count == 3_000)
        #expect(entries.allSatisfy { $0.touch() } && !stale.contains { $0.touch() })
        next.close()
    }

    /// A line whose slots have no numbers left is passed over, and one that has some is not.
    @Test func slotsWithoutNumbersAreNotUsed() throws {
        let table = table(on: try manualLoop())
        let first = (0..<10).map { table.add($0) }
        // All of one line, and all but one of the next.
        for entry in first.dropLast() {
            entry.slot.generation.pointee.store(.max - 2, ordering: .relaxed)
            #expect(table.remove(entry.slot.index, .max - 2))
        }
        #expect(table.remove(first[9].slot.index, first[9].generation))
        let second = (0..<6).map { table.add($0) }
        #expect(second[0].slot.index == first[9].slot.index)
        let worn = first.dropLast().map(\.slot.index)
        #expect(second.allSatisfy { !worn.contains($0.slot.index) && $0.touch() })
        #expect(!first.contains { $0.touch() })
        table.close()
        // A tracker that has the slots after it: they stay worn.
        let next = self.table(on: try manualLoop())
        let third = (0..<6).map { next.add($0) }
        #expect(third.allSatisfy { !worn.contains($0.slot.index) })
        next.close()
        // Other tests count on slots that begin with the first.
        for entry in first { entry.slot.generation.pointee.store(0, ordering: .relaxed) }
    }
}
