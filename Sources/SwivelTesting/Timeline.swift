// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// Events in time, as a drawing: `--a--b|`.
///
/// Each column is one step of virtual time; the first is the loop's time when the timeline was
/// made. `-` is a step without an event, `|` the end. Events of one step stand in parentheses,
/// `(ab)`, and take the time of a single column.
///
///     let line = Timeline(on: loop, step: .seconds(1))
///     loop.schedule(every: .seconds(2)) { tick in line.mark("\(tick.index)") }
///     loop.advance(by: .seconds(5))
///     #expect("\(line)" == "--0-1-")
///
/// **Thread:** any.
public final class Timeline: Sendable {
    private struct Events {
        var symbols: [Int: [String]] = [:]
        /// The column of the end.
        var end: Int?
    }

    private let loop: Loop
    private let start: LoopClock.Instant
    private let step: Duration
    private let events = Lock(Events())

    /// A timeline that begins now, on the time of `loop`, with a column for each `step`; zero or
    /// less traps.
    /// - Complexity: O(1).
    public init(
        on loop: Loop, step: Duration = .seconds(1), file: StaticString = #fileID,
        line: UInt = #line
    ) {
        check(
            step > .zero, "a timeline's step must be above zero, not \(step)", file: file,
            line: line)
        self.loop = loop
        self.step = step
        start = loop.now
    }

    /// Draws an event as `symbol` at the loop's time: between two steps, at the earlier one. Events
    /// of one step are drawn in the order of their calls.
    /// - Complexity: O(1).
    public func mark(_ symbol: String) {
        let column = column
        events.withLock { $0.symbols[column, default: []].append(symbol) }
    }

    /// Notes the end at the loop's time. The drawing stops there; only events that come later
    /// extend it.
    /// - Complexity: O(1).
    public func end() {
        let column = column
        events.withLock { $0.end = column }
    }

    /// The column of the loop's time.
    private var column: Int {
        Int(clamping: start.duration(to: loop.now).attoseconds / step.attoseconds)
    }
}

extension Timeline: CustomStringConvertible {
    /// The drawing, up to the end or the loop's time.
    public var description: String {
        let now = column
        let (symbols, end) = events.withLock { ($0.symbols, $0.end) }
        let last = max(end ?? now, symbols.keys.max() ?? 0)
        return (0...last).map { column in
            let marks = symbols[column, default: []] + (column == end ? ["|"] : [])
            return switch marks.count {
            case 0: "-"
            case 1: marks[0]
            default: "(\(marks.joined()))"
            }
        }.joined()
    }
}

extension Loop {
    /// Plays a drawing: calls `body` with each of its symbols at that symbol's time from now.
    ///
    /// The inverse of ``Timeline``: in a `drawing` such as `--a--b|`, `-` lets a `step` pass (zero
    /// or less traps), `(ab)` are events of one step, `|` ends the drawing and is played too, and
    /// blanks may stand anywhere.
    ///
    /// **Thread:** any; `body` runs on the loop.
    /// - Complexity: O(n) in the drawing; a timer for each symbol.
    @preconcurrency
    public func play(
        _ drawing: String, step: Duration = .seconds(1),
        _ body: @escaping @Sendable (Character) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        check(
            step > .zero, "a drawing's step must be above zero, not \(step)", file: file,
            line: line)
        let start = now
        // All symbols are armed before any runs, so that each comes before work which an earlier
        // one schedules for the same instant.
        execute { self.arm(drawing, step: step, from: start, body) }
    }

    private func arm(
        _ drawing: String, step: Duration, from start: LoopClock.Instant,
        _ body: @escaping @Sendable (Character) -> Void
    ) {
        var time = Duration.zero
        var isInGroup = false
        for symbol in drawing where symbol != " " {
            switch symbol {
            case "(": isInGroup = true
            case ")": isInGroup = false
            case "-": break
            default: schedule(at: start + time) { body(symbol) }
            }
            if !isInGroup { time += step }
        }
    }
}
