// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
import CSwivelTestSupport
import Testing

/// Loops that somebody drives a turn at a time.
@Suite struct RunOnceTests {
    private let ignored = Cell()

    /// Arming, moving or cancelling a timer does not end a wait.
    @Test func aWaitEndsWhenSomethingHasRun() async throws {
        try await offPool {
            let loop = try TestLoop(SWIVEL_CALLER)
            let cell = Cell()
            _ = loop.schedule(after: 1_000_000, cell)
            loop.runOnce(wait: true)
            #expect(cell.ran == 1, "it returned with the arm taken up")
            let cancelled = Cell()
            let timer = loop.schedule(after: 2_000_000, cancelled)
            let moved = loop.schedule(after: 3_600_000_000_000, cell)
            loop.runOnce()
            swivel_rearm(moved, 5_000_000)
            swivel_cancel(timer)
            loop.runOnce(wait: true)
            #expect(cell.ran == 2, "it returned for a timer that is not there any more")
            _ = loop.schedule(after: 3_600_000_000_000, cell)
            runOnThread { swivel_loop_wake(loop.record) }
            loop.runOnce(wait: true)
            swivel_loop_stop(loop.record)
            loop.runOnce(wait: true)
            #expect(cell.ran == 2, "a wake and a stop end it too")
            loop.shutdown()  // Before the cells go.
        }
    }

    /// Turns of one closure, while others post two for each of them.
    @Test(arguments: [true, false])
    func ownPostsRunWhileOthersPostWithoutPause(isTimer: Bool) throws {
        let loop = try TestLoop(SWIVEL_CALLER, turnCount: 1)
        let chain = Chain(loop, isTimer: isTimer)
        chain.begin()
        loop.runOnce()
        for _ in 0..<100 {
            runOnThread { (0..<2).forEach { _ in loop.post(ignored) } }
            loop.runOnce()
        }
        #expect(chain.links >= 50)
        chain.ends = true
        loop.shutdown()
    }

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

    private final class Chain: @unchecked Sendable {  // because one thread at a time uses it
        let loop: TestLoop
        let isTimer: Bool
        private(set) var links = 0
        var ends = false
        private var cells: [Cell] = []

        init(_ loop: TestLoop, isTimer: Bool) {
            (self.loop, self.isTimer) = (loop, isTimer)
        }

        func begin() {
            cells.append(Cell { [unowned self] in link() })
            loop.post(cells[0])
        }

        private func link() {
            guard !ends else { return }
            let cell = Cell { [unowned self] in
                links += 1
                link()
            }
            cells.append(cell)
            if isTimer { _ = loop.schedule(after: 0, cell) } else { loop.post(cell) }
        }
    }

    /// Numbers in the order in which they were posted, and in which they ran.
    private final class Journal: @unchecked Sendable {  // because one thread at a time uses it
        let loop: TestLoop
        private(set) var posted = 0, ran = 0
        private(set) var isInOrder = true
        private var cells: [Cell] = []

        init(_ loop: TestLoop) {
            self.loop = loop
        }

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
