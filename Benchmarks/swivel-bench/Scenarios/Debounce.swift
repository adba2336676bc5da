// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// Many requests, one firing.
enum Debounce: Scenario {
    static let name = "debounce"
    static let summary =
        "push one pending firing back, by Coalescer and by once(id), in turns of its own"

    static func contests(_ plan: Plan) -> [Contest] {
        let many = plan.choose(100_000, quick: 50_000)
        let few = 20_000
        // A turn of Foundation's run loop varies by more than a call costs.
        let contenders = LineUp.timers.filter { $0.name != RivalName.foundation }
        let rivals = contenders.sides([.cpu, .wall]) { try $0.pushBack(calls: few) }
        let sources = LineUp.timers.only(RivalName.source).sides([.cpu]) {
            try $0.pushBack(calls: few)
        }
        return [
            Contest(
                name, "coalescer", subject: Side(Loop.name) { try coalescer(calls: many) },
                rivals: rivals),
            Contest(
                name, "coalescer, two callers",
                subject: Side(Loop.name) { try twoCallers(many) },
                rivals: [Side(RivalName.source, [.cpu]) { try twoCallersOfASource(many) }]),
            Contest(
                name, "coalescer, on a queue",
                subject: Side("Coalescer") { try onAQueue(calls: many) }, rivals: sources),
            Contest(
                name, "once", subject: Side(Loop.name) { try Loop.replacing(calls: many) },
                rivals: [
                    Side(RivalName.backend, [.cpu, .wall]) {
                        try DispatchBackend.replacing(calls: few)
                    }
                ] + rivals.filter { $0.name != RivalName.backend },
                reason: "an id is looked up and a closure swapped; the source has one of each"),
        ]
    }

    private static func coalescer(calls: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 1_000)
        let countdown = Countdown(1)
        let coalescer = Coalescer(on: field.context, after: .seconds(5)) { countdown.hit() }
        let span = field.turns.net(turns: calls) { coalescer.call() }
        field.turns.run { coalescer.flush() }
        countdown.wait()
        return try finish(span, calls, countdown, field)
    }

    private static func onAQueue(calls: Int) throws -> Measurement {
        let queue = DispatchQueue(label: "debounce")
        let countdown = Countdown(1)
        let coalescer = Coalescer(on: queue, after: .seconds(5)) { countdown.hit() }
        let span = Turns { queue.async(execute: $0) }.net(turns: calls) { coalescer.call() }
        coalescer.flush()
        countdown.wait()
        var measurement = Measurement(span, operations: calls)
        try measurement.check("fired", countdown.hits, is: 1)
        return measurement
    }

    /// Calls from two threads at once; both sides have one pending firing.
    private static func twoCallers(_ calls: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 1_000)
        let countdown = Countdown(1)
        let coalescer = Coalescer(on: field.context, after: .seconds(5)) { countdown.hit() }
        let span = Producers.time(2) { _ in
            for _ in 0..<calls { coalescer.call() }
        } drained: {
            field.turns.run {}
        }
        field.turns.run { coalescer.flush() }
        countdown.wait()
        return try finish(span, 2 * calls, countdown, field)
    }

    private static func twoCallersOfASource(_ calls: Int) throws -> Measurement {
        let field = try Field<TimerSources>(outstanding: 1_000)
        let countdown = Countdown(1)
        // `nonisolated(unsafe)` because any thread may move a source.
        nonisolated(unsafe) let source = field.context.after(Delays.fiveSeconds[0]) {
            countdown.hit()
        }
        let span = Producers.time(2) { _ in
            for _ in 0..<calls { source.schedule(deadline: .now() + .seconds(5)) }
        } drained: {
            field.turns.run {}
        }
        source.schedule(deadline: .now())
        countdown.wait()
        source.cancel()
        return try finish(span, 2 * calls, countdown, field)
    }

    static func finish<Context: TimerContender>(
        _ span: Span, _ calls: Int, _ countdown: Countdown, _ field: Field<Context>
    ) throws -> Measurement {
        var measurement = Measurement(span, operations: calls)
        try field.close(&measurement)
        try measurement.check("fired", countdown.hits, is: 1)
        return measurement
    }
}

extension TimerContender {
    /// A coalescer's work by hand: one pending timer moved.
    static func pushBack(calls: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let countdown = Countdown(1)
        let work: @Sendable () -> Void = { countdown.hit() }
        let pending = Latest<Handle>()
        let delay = Delays.fiveSeconds[0]
        field.turns.run { pending.handle = context.after(delay, work) }
        let span = field.turns.net(turns: calls) {
            pending.move { _ = context.rearm(&$0, after: delay, work) }
        }
        field.turns.run {
            pending.move { _ = context.rearm(&$0, after: Delays.millisecond[0], work) }
        }
        countdown.wait()
        field.turns.run {
            if !answers { pending.move { _ = context.cancel($0) } }
            pending.handle = nil
        }
        return try Debounce.finish(span, calls, countdown, field)
    }
}

extension ReplacingContender {
    static func replacing(calls: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let countdown = Countdown(1)
        let replaced = Tally()
        let delay = Delays.fiveSeconds[0]
        let span = field.turns.net(turns: calls) {
            context.replace("id", after: delay) { replaced.cell.pointee &+= calls | 1 }
        }
        field.turns.run {
            context.replace("id", after: Delays.millisecond[0]) { countdown.hit() }
        }
        countdown.wait()
        var measurement = try Debounce.finish(span, calls, countdown, field)
        try measurement.check("replaced closures that ran", replaced.value, is: 0)
        return measurement
    }
}
