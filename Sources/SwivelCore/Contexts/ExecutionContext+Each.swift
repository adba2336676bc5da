// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension ExecutionContext {
    /// Runs `body` here for each of the `elements`, in parallel on a concurrent context, and
    /// returns when all of them are done: one that the context drops, or that a loop refuses
    /// because it is shut down, is done without having run. On the loop or queue that is current,
    /// the elements run one after another inside this call.
    ///
    /// **Thread:** any. Blocks. On a loop's thread the wait pumps that loop, and a pool replaces
    /// the worker that waits, so the wait never starves the work.
    /// - Complexity: O(n), two allocations per element.
    @available(*, noasync, message: "each(_:_:) blocks its thread until all elements have run")
    @preconcurrency
    public func each<S: Sequence>(
        _ elements: S, _ body: @escaping @Sendable (S.Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) where S.Element: Sendable {
        _ = run(elements, until: .never, body, file, line)
    }

    /// Runs `body` for each of the `elements` like `each(_:_:)`, but waits for at most `timeout`,
    /// on the real clock or on that of the loop which waits. Zero or less: not at all.
    ///
    /// **Thread:** any. Blocks.
    /// - Throws: ``SwivelError`` with ``SwivelError/Code/timedOut``. Elements that have not run by
    ///   then run later.
    /// - Complexity: O(n), two allocations per element.
    @available(*, noasync, message: "each(_:_:) blocks its thread until all elements have run")
    @preconcurrency
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
            // A context that wraps another may end during the loop, as an invalidation token's
            // does.
            let mayEnd = self is any ContextWrapper
            for element in elements where !mayEnd || isCurrent { body(element) }
            return true
        }
        let countdown = Countdown(file, line)
        for element in elements {
            countdown.enter()
            let notice = DropNotice(countdown) { $0.leave() }
            executeBeyondLimit {
                Thread.running(countdown.file, line: countdown.line) { body(element) }
                notice.run()
            }
        }
        countdown.leave()
        #if DEBUG
        let manual = ManualWait(for: deadline == .never ? [self] : [], "each(_:_:)", file, line)
        defer { manual.end() }
        #endif
        return countdown.latch.wait(until: deadline, file: file, line: line) { lasts in
            #if DEBUG
            if lasts { manual.check([self]) }
            #endif
        }
    }
}

/// Opens its latch when `leave()` has been called once more than `enter()`.
private final class Countdown: Sendable {
    let latch = Latch()
    /// The place of the call.
    let file: StaticString, line: UInt
    private let left = Atomic(1)

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = line
    }

    func enter() { left.wrappingAdd(1, ordering: .relaxed) }

    func leave() {
        if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            latch.signal()
        }
    }
}
