// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import CSwivelMain
internal import Dispatch
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

    private let parker = ThreadParker()
    /// Guarded by `parker`.
    private let state = Guarded(State())

    /// Appends `work`. It runs on the main queue, never inside this call.
    ///
    /// **Thread:** any.
    func post(_ work: @escaping @Sendable () -> Void) {
        let (submits, wasEmpty) = parker.withLock {
            let wasEmpty = state.value.queue.isEmpty
            state.value.queue.append(work)
            guard state.value.block == nil else { return (false, wasEmpty) }
            state.value.claimBlock()
            return (true, wasEmpty)
        }
        if submits {
            submitBlock()
        }
        if wasEmpty {
            swivel__guest_nudge()
        }
    }

    private func submitBlock() {
        DispatchQueue.main.async {
            self.run(self.parker.withLock { self.state.value.queue.count })
            // What came meanwhile waits behind the main queue's other blocks.
            let isLeft = self.parker.withLock {
                guard !self.state.value.queue.isEmpty else {
                    self.state.value.block = nil
                    return false
                }
                self.state.value.claimBlock()
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
            guard let work = parker.withLock({ state.value.queue.popFirst() }) else { return }
            work()
        }
    }

    /// As `swivel_main_lane.serve`.
    private func serve(_ drain: () -> Void) -> Bool {
        let pending = parker.withLock { state.value.block }
        drain()
        guard let pending else { return false }
        // A block that was submitted before the drain and did not run: this is inside a block.
        let stuck = parker.withLock { state.value.block == pending ? state.value.queue.count : 0 }
        run(stuck)
        return parker.withLock { state.value.block == pending && !state.value.queue.isEmpty }
    }

    /// As `swivel_main_lane.park`.
    private func park(until instant: UInt64) {
        parker.withLock {
            if !state.value.isRung { _ = parker.park(until: instant) }
            state.value.isRung = false
        }
    }

    /// As `swivel_main_lane.ring`.
    private func ring() {
        parker.withLock {
            state.value.isRung = true
            parker.wakeAll()
        }
    }
}
