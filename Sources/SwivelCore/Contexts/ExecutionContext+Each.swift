// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension ExecutionContext {
    /// Runs `body` here for each element, in parallel on a concurrent context, and returns when all
    /// have run.
    ///
    /// On the loop or queue that is current it runs them one after another, right here. The wait
    /// pumps a loop and replaces a pool's worker, so it never starves the work.
    ///
    /// **Thread:** any. Blocks.
    /// - Complexity: O(n), one allocation an element.
    @available(*, noasync, message: "each(_:_:) blocks its thread until all elements have run")
    public func each<S: Sequence>(
        _ elements: S, _ body: @escaping @Sendable (S.Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) where S.Element: Sendable {
        _ = run(elements, until: .never, body, file, line)
    }

    /// As `each(_:_:)`, for at most `timeout`.
    ///
    /// - Throws: ``SwivelError/Code/timedOut``. What has not run by then runs later.
    @available(*, noasync, message: "each(_:_:) blocks its thread until all elements have run")
    public func each<S: Sequence>(
        _ elements: S, timeout: Duration, _ body: @escaping @Sendable (S.Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(SwivelError) where S.Element: Sendable {
        let deadline = LoopClock.Instant.now.advanced(by: timeout)
        if !run(elements, until: deadline, body, file, line) {
            throw SwivelError(.timedOut, "not all elements have run within \(timeout)")
        }
    }

    private func run<S: Sequence>(
        _ elements: S, until deadline: LoopClock.Instant,
        _ body: @escaping @Sendable (S.Element) -> Void, _ file: StaticString, _ line: UInt
    ) -> Bool where S.Element: Sendable {
        if isCurrent {
            elements.forEach(body)
            return true
        }
        let countdown = Countdown()
        for element in elements {
            countdown.enter()
            // A context that drops work releases the pass, which counts as having run.
            let pass = Countdown.Pass(countdown)
            executeBeyondLimit {
                body(element)
                pass.leave()
            }
        }
        countdown.leave()
        return countdown.latch.wait(until: deadline, file: file, line: line)
    }
}

/// Opens its latch when all who entered have left.
private final class Countdown: Sendable {
    let latch = Latch()
    private let left = Atomic(1)

    func enter() {
        left.wrappingAdd(1, ordering: .relaxed)
    }

    func leave() {
        if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            latch.signal()
        }
    }

    /// One who leaves once, at the latest when it is released.
    final class Pass: Sendable {
        private let countdown: Countdown
        private let isUsed = Atomic(false)

        init(_ countdown: Countdown) {
            self.countdown = countdown
        }

        func leave() {
            if !isUsed.exchange(true, ordering: .relaxed) { countdown.leave() }
        }

        deinit { leave() }
    }
}
