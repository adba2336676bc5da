// SPDX-License-Identifier: Apache-2.0
internal import CSwivelMain
internal import SwivelCore

/// Swivel's own queue in front of the main queue: closures in order, and one block on the main queue
/// that runs them.
///
/// The main queue is not re-entrant: what is submitted to it while one of its blocks waits runs after
/// that block. The lane has no such bound. A wait inside a main-queue block runs it directly, in
/// order, so that work for `.main` is done while `.main` waits for it.
final class MainLane: Sendable {
    /// The lane; there is one main queue.
    static var shared: MainLane { FirstUse.of(only) }
    private static let only: MainLane = {
        let entry = UnsafeMutablePointer<swivel_main_lane>.allocate(capacity: 1)
        entry.initialize(
            to: swivel_main_lane(
                serve: { drain in MainLane.shared.serve { drain() } },
                park: { instant in MainLane.shared.park(until: instant) },
                ring: { MainLane.shared.ring() }))
        swivel_main_set_lane(entry)
        return MainLane()
    }()

    private struct State {
        var queue = WorkQueue()
        /// The number of the block that is to run the lane, until it has.
        var block: UInt64?
        var blocks: UInt64 = 0
        var isRung = false

        mutating func claimBlock() {
            blocks += 1
            block = blocks
        }
    }

    private let state = Monitor(State())

    /// Appends `work`. It runs on the main queue, never inside this call.
    ///
    /// **Thread:** any.
    func post(_ work: @escaping @Sendable () -> Void) {
        let (submits, wasEmpty) = state.withLock { state in
            let wasEmpty = state.queue.isEmpty
            state.queue.append(work)
            guard state.block == nil else { return (false, wasEmpty) }
            state.claimBlock()
            return (true, wasEmpty)
        }
        if submits {
            submitBlock()
        }
        if wasEmpty {
            swivel_guest_nudge()
        }
    }

    private func submitBlock() {
        DispatchQueue.main.async {
            self.run(self.state.withLock { $0.queue.count })
            // What came meanwhile waits behind the main queue's other blocks.
            let isLeft = self.state.withLock { state in
                guard !state.queue.isEmpty else {
                    state.block = nil
                    return false
                }
                state.claimBlock()
                return true
            }
            if isLeft {
                self.submitBlock()
            }
        }
    }

    /// Runs at most `count` closures; fewer, if a wait inside one of them has run the next.
    private func run(_ count: Int) {
        for _ in 0..<count {
            guard let work = state.withLock({ $0.queue.popFirst() }) else { return }
            work()
        }
    }

    /// As `swivel_main_lane.serve`.
    private func serve(_ drain: () -> Void) -> Bool {
        let pending = state.withLock { $0.block }
        drain()
        guard let pending else { return false }
        // A block that was submitted before the drain and did not run: this is inside a block.
        let stuck = state.withLock { $0.block == pending ? $0.queue.count : 0 }
        run(stuck)
        return state.withLock { $0.block == pending && !$0.queue.isEmpty }
    }

    /// As `swivel_main_lane.park`.
    private func park(until instant: UInt64) {
        _ = state.wait(until: instant) { state, _ -> Void? in
            guard state.isRung else { return nil }
            state.isRung = false
            return ()
        }
    }

    /// As `swivel_main_lane.ring`.
    private func ring() {
        state.withSleepers { state, sleepers in
            state.isRung = true
            sleepers.wakeAll()
        }
    }
}
