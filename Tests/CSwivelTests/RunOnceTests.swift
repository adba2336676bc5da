// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Testing

/// Loops that somebody drives a turn at a time.
@Suite struct RunOnceTests {
    private let ignored = Cell()

    /// F1: what its closures post, and what their thread posts between the turns.
    @Test func postsOfTheDrivingThreadKeepTheirOrder() throws {
        var random = SeededRandom(seed: announcedSeed("RunOnceTests"))
        let loop = try TestLoop(SWIVEL_CALLER, turnCount: 2)
        let journal = Journal(loop)
        for _ in 0..<3000 {
            switch random.below(4) {
            case 0: journal.post(inside: 0)
            case 1: journal.post(inside: random.below(4))
            case 2 where random.once(in: 8):
                let backlog = random.below(30)
                runOnThread { (0..<backlog).forEach { _ in loop.post(ignored) } }
            default: loop.runOnce()
            }
        }
        while journal.ran < journal.posted { loop.runOnce() }
        #expect(journal.isInOrder)
        #expect(journal.posted > 1000)
        loop.shutdown()
    }

    /// Numbers in the order in which they were posted, and in which they ran.
    private final class Journal: @unchecked Sendable {  // because one thread at a time uses it
        let loop: TestLoop
        private(set) var posted = 0, ran = 0
        private(set) var isInOrder = true
        private var cells: [Cell] = []

        init(_ loop: TestLoop) { self.loop = loop }

        /// A post that posts `count` more when it runs.
        func post(inside count: Int) {
            let number = posted
            posted += 1
            let cell = Cell { [unowned self] in
                isInOrder = isInOrder && number == ran
                ran += 1
                (0..<count).forEach { _ in post(inside: 0) }
            }
            cells.append(cell)
            loop.post(cell)
        }
    }
}
