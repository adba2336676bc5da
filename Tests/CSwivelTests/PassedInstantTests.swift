// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivelTestSupport
import Testing

/// Timers that are armed again and again for an instant that has passed.
@Suite struct PassedInstantTests {
    enum Arming: CaseIterable, Sendable {
        /// By its own closure, for the same instant; an interval further, as one that catches up by
        /// hand; by the closure of another such timer; by another thread.
        case itself, step, pair, elsewhere
        /// One-shots, each of which schedules the next.
        case chain
    }

    /// Turns of one closure: whatever always goes first starves all others.
    @Test(arguments: Arming.allCases)
    func itTakesItsTurnBehindWhatIsDue(_ arming: Arming) throws {
        let loop = try TestLoop(SWIVEL_MANUAL, turnCount: 1)
        loop.advance(to: 1_000_000)
        let again = Again(loop)
        let others = (0..<10).map { _ in Cell() }
        again.inside {
            for (number, cell) in others.enumerated() {
                _ = loop.schedule(at: loop.now + 10 + UInt64(number), cell)
            }
            again.begin(arming)
            loop.advance(by: 1000)
        }
        for _ in 0..<60 {
            if arming == .elsewhere { runOnThread { again.arm(0, at: 7) } }
            loop.runOnce()
            again.inside { loop.advance(by: 1) }
        }
        #expect(others.allSatisfy { $0.ran == 1 })
        #expect(again.count >= 10, "and so does this one")
        again.end()
    }

    private final class Again: @unchecked Sendable {  // because one thread at a time uses it
        let loop: TestLoop
        private(set) var count = 0
        private var arming = Arming.itself
        private var instant: UInt64 = 7
        private var timers: [swivel_timer] = []
        private var cells: [Cell] = []

        init(_ loop: TestLoop) {
            self.loop = loop
        }

        func inside(_ body: @escaping () -> Void) {
            let run = Unchecked(body)
            let cell = Cell { run.body() }
            loop.post(cell)
            while cell.ran == 0 { loop.runOnce() }
        }

        func begin(_ arming: Arming) {
            self.arming = arming
            guard arming != .chain else { return link() }
            cells = (0..<2).map { number in Cell { [unowned self] in fire(number) } }
            timers = cells.map { loop.keep($0) }
            arm(0, at: instant)
        }

        func arm(_ number: Int, at instant: UInt64) {
            swivel_kept_arm(timers[number], instant, 0)
        }

        func end() {
            arming = .elsewhere
            timers.forEach { swivel_kept_free($0) }
            loop.shutdown()
        }

        private func fire(_ number: Int) {
            count += 1
            switch arming {
            case .itself: arm(0, at: instant)
            case .step:
                instant += 1
                arm(0, at: instant)
            case .pair: arm(1 - number, at: instant)
            case .elsewhere, .chain: break
            }
        }

        private func link() {
            guard arming == .chain else { return }
            let cell = Cell { [unowned self] in
                count += 1
                link()
            }
            cells.append(cell)
            _ = loop.schedule(at: instant, cell)
        }
    }
}
