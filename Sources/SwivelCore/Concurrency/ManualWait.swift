// SPDX-License-Identifier: Apache-2.0
#if DEBUG
internal import CSwivel.Internal

/// A wait without a deadline for contexts, in debug builds. If it lasts, it reports those contexts
/// that are manual loops with something to run, and that have run no turn since the last check:
/// another thread may drive such a loop while this one waits.
package struct ManualWait: Sendable {
    private let operation: StaticString
    private let file: StaticString
    private let line: UInt
    /// The turns that each loop had run at the last check.
    private let turns: Lock<[ObjectIdentifier: Int]>
    private var timer: TimerHandle?

    /// The wait begins. The contexts have to run something before it ends, as far as is known.
    package init(
        for contexts: [any ExecutionContext], _ operation: StaticString, _ file: StaticString,
        _ line: UInt
    ) {
        let loops = contexts.compactMap { $0.manualLoop }
        let turns = loops.map { (ObjectIdentifier($0), $0.metrics.turns) }
        self.operation = operation
        self.file = file
        self.line = line
        self.turns = Lock(Dictionary(turns) { $1 })
        // A wait on a loop's thread runs turns, and checks nothing in between.
        guard !loops.isEmpty, let turning = Loop.current, turning.manual == nil else { return }
        timer = turning.schedule(every: .seconds(1)) { [self] in check(loops) }
    }

    /// The wait is over.
    package func end() { timer?.cancel() }

    /// The wait lasts: reports the loops on which no turn has run since the last check, of the
    /// contexts that are known now.
    package func check(_ contexts: [any ExecutionContext]) {
        for loop in contexts.compactMap({ $0.manualLoop }) {
            let now = loop.metrics.turns
            let before = turns.withLock { $0.updateValue(now, forKey: ObjectIdentifier(loop)) }
            guard before == now, Self.stands(loop) else { continue }
            Diagnostics.report(
                """
                \(operation) has waited for a second for work of \(loop), a manual loop, which no \
                thread drives: it runs nothing until a test moves its time. Call advance(by:) or one \
                of its kind before this wait, or on another thread during it; in a task, await the \
                result inside advanceUntilDone(_:)
                """, file: file, line: line)
        }
    }

    /// Whether the loop has something to run, and no thread drives it.
    private static func stands(_ loop: Loop) -> Bool {
        guard swivel__resting_enter(loop.record) else { return false }
        defer { swivel__resting_leave(loop.record) }
        return loop.queuedPosts > 0
            || swivel__next_timed(loop.record) != LoopClock.Instant.never.nanoseconds
    }
}
#endif
