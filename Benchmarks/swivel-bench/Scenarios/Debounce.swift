// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Many requests, one firing.
enum Debounce: Scenario {
    static let name = "debounce"
    static let summary = "push one pending firing back, by Coalescer and by once(id)"

    static func contests(_ plan: Plan) -> [Contest] {
        plan.choose([Rhythm.oneATurn, .inARow], quick: [.oneATurn]).flatMap { rhythm in
            let many = rhythm == .inARow ? 200_000 : plan.choose(100_000, quick: 50_000)
            let few = plan.choose(20_000, quick: 5_000)
            let suffix = rhythm == .inARow ? ", in a row" : ""
            let coalescer = Side(Loop.sideName) { try self.coalescer(rhythm, calls: many) }
            let once = Side(Loop.sideName) { try self.once(Loop.self, rhythm, calls: many) }
            let source = Side(RivalName.source, [.cpu, .wall]) {
                try DispatchDebounce.reschedule(rhythm, calls: few)
            }
            let workItems = Side(RivalName.asyncAfter, [.cpu, .wall]) {
                try DispatchDebounce.workItems(rhythm, calls: 2_000)
            }
            let backend = Side(RivalName.backend, [.cpu, .wall]) {
                try rearm(rhythm, calls: few)
            }
            let backendOnce = Side(RivalName.backend, [.cpu, .wall]) {
                try self.once(DispatchBackend.self, rhythm, calls: few)
            }
            let libuv = Side(RivalName.libuv, [.wall]) {
                try RawUV.debounce(outstanding: 1_000, operations: many)
            }
            return [
                Contest(
                    name, "coalescer" + suffix, subject: coalescer,
                    rivals: [backend, source] + (rhythm == .inARow ? [libuv] : [])),
                Contest(
                    name, "coalescer" + suffix, subject: coalescer, rivals: [workItems],
                    leavesTimersBehind: true),
                Contest(
                    name, "once" + suffix, subject: once, rivals: [backendOnce, source],
                    reason: "an id is looked up and a closure swapped; the source has one of each"),
                Contest(
                    name, "once" + suffix, subject: once, rivals: [workItems],
                    leavesTimersBehind: true),
            ]
        }
    }

    private static func coalescer(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 1_000)
        let countdown = Countdown(1)
        let coalescer = Coalescer(on: field.context, after: .seconds(5)) { countdown.hit() }
        let span = rhythm.time(field.turns, calls: calls) { _ in coalescer.call() }
        field.turns.run { coalescer.flush() }
        countdown.wait()
        return try finish(span, calls, countdown, field)
    }

    /// A coalescer's work, on Dispatch: one pending timer moved. (A `Coalescer` itself keeps its
    /// time on a loop, whatever its context.)
    private static func rearm(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = try Field<DispatchBackend>(outstanding: 1_000)
        let countdown = Countdown(1)
        let handle = field.context.after(.seconds(5)) { countdown.hit() }
        let span = rhythm.time(field.turns, calls: calls) { _ in handle.rearm(after: .seconds(5)) }
        field.turns.run { handle.rearm(after: .milliseconds(1)) }
        countdown.wait()
        return try finish(span, calls, countdown, field)
    }

    private static func once<Context: Contender>(
        _: Context.Type, _ rhythm: Rhythm, calls: Int
    ) throws -> Measurement {
        let field = try Field<Context>(outstanding: 1_000)
        let context = field.context
        let countdown = Countdown(1)
        let replaced = Tally()
        let span = rhythm.time(field.turns, calls: calls) { index in
            context.debounce("id", after: .seconds(5)) {
                replaced.cell.pointee &+= index | 1
            }
        }
        field.turns.run { context.debounce("id", after: .milliseconds(1)) { countdown.hit() } }
        countdown.wait()
        var measurement = try finish(span, calls, countdown, field)
        try measurement.check("replaced closures that ran", replaced.value, is: 0)
        return measurement
    }

    private static func finish<Context: Contender>(
        _ span: Span, _ calls: Int, _ countdown: Countdown, _ field: Field<Context>
    ) throws -> Measurement {
        var measurement = Measurement(span, operations: calls)
        try field.close(&measurement)
        try measurement.check("fired", countdown.hits, is: 1)
        return measurement
    }
}
