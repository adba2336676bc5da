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
            let few = 20_000
            let suffix = rhythm == .inARow ? ", in a row" : ""
            let coalescer = Side(Loop.name) { try self.coalescer(rhythm, calls: many) }
            let once = Side(Loop.name) { try Loop.replacing(rhythm, calls: many) }
            // Dispatch's keepers hold each item until its deadline, so their calls are few.
            let keepers = LineUp.keepers.sides([.cpu, .wall]) {
                try $0.pushBack(rhythm, calls: 2_000)
            }
            // A turn of a run loop takes some 30 µs, and varies by more than a call costs: what is
            // seen of a call in a turn of its own is noise.
            let contenders = LineUp.timers.filter {
                rhythm == .inARow || $0.name != RivalName.foundation
            }
            let rivals = contenders.sides([.cpu, .wall]) {
                try $0.pushBack(rhythm, calls: few)
            }
            let backendOnce = Side(RivalName.backend, [.cpu, .wall]) {
                try DispatchBackend.replacing(rhythm, calls: few)
            }
            let libuv = Side(RivalName.libuv, [.wall]) {
                try RawUV.debounce(outstanding: 1_000, operations: many)
            }
            let children = ChildRival.sides([.cpu, .wall]) {
                try $0.debounce(outstanding: 1_000, operations: many)
            }
            return [
                Contest(
                    name, "coalescer" + suffix, subject: coalescer,
                    rivals: rivals + (rhythm == .inARow ? [libuv] + children : []),
                    weight: plan.weightOfScattered),
                Contest(
                    name, "coalescer" + suffix, subject: coalescer, rivals: keepers,
                    leavesTimersBehind: true),
                Contest(
                    name, "once" + suffix, subject: once,
                    rivals: [backendOnce] + rivals.filter { $0.name != RivalName.backend },
                    reason: "an id is looked up and a closure swapped; the source has one of each"),
                Contest(
                    name, "once" + suffix, subject: once, rivals: keepers,
                    leavesTimersBehind: true),
            ]
        }
    }

    private static func coalescer(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 1_000)
        let countdown = Countdown(1)
        let coalescer = Coalescer(on: field.context, after: .seconds(5)) { countdown.hit() }
        let span = rhythm.time(field.turns, calls: calls, noise: .isCharged) { _ in
            coalescer.call()
        }
        field.turns.run { coalescer.flush() }
        countdown.wait()
        return try finish(span, calls, countdown, field)
    }

    static func noise(of contender: String) -> NetCost.Noise {
        contender == Loop.name ? .isCharged : .isIgnored
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
    /// A coalescer's work by hand: one pending timer moved. (A `Coalescer` itself keeps its time on
    /// a loop, whatever its context.)
    static func pushBack(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let countdown = Countdown(1)
        let work: @Sendable () -> Void = { countdown.hit() }
        let pending = Latest<Handle>()
        let delay = Delays.fiveSeconds[0]
        field.turns.run { pending.handle = context.after(delay, work) }
        let span = rhythm.time(field.turns, calls: calls, noise: Debounce.noise(of: name)) { _ in
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
    static func replacing(_ rhythm: Rhythm, calls: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: 1_000)
        let context = field.context
        let countdown = Countdown(1)
        let replaced = Tally()
        let delay = Delays.fiveSeconds[0]
        let noise = Debounce.noise(of: name)
        let span = rhythm.time(field.turns, calls: calls, noise: noise) { index in
            context.replace("id", after: delay) { replaced.cell.pointee &+= index | 1 }
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
