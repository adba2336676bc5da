// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// The timeouts of idle connections: each read moves one.
enum IdleTimeouts: Scenario {
    static let name = "idle-timeout"
    static let summary = "say that one of 100,000 connections is alive"

    static let connections = 100_000

    static func contests(_ plan: Plan) -> [Contest] {
        let touches = plan.choose(20_000_000, quick: 5_000_000)
        // One after the other; and with strides that no cache foresees.
        let strides = [("touch", 1), ("touch, at random", 61_583)]
        return plan.choose(strides, quick: Array(strides.prefix(1))).map { variant, stride in
            // The others take a second each.
            let contenders =
                plan.isQuick
                ? LineUp.timers.only(RivalName.backend, RivalName.nio) : LineUp.timers
            let rivals = contenders.sides([.cpu, .wall], beside: connections) {
                let turns = $0.turns(outstanding: connections, in: 50_000_000)
                return try $0.keepAlive(
                    connections: connections, moves: turns * Turns.operations, stride: stride)
            }
            return Contest(
                name, variant, subject: Side(Loop.name) { try touch(touches, stride) },
                rivals: rivals)
        }
    }

    /// The next connection, counted round; the stride may be longer than a round.
    static func step(_ connection: Int, by stride: Int, of connections: Int) -> Int {
        let next = connection + stride
        return next < connections ? next : next % connections
    }

    private static func touch(_ count: Int, _ stride: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 0)
        let (expired, touched) = (Tally(), Tally())
        var idle: IdleTracker<Int>? = IdleTracker(on: field.context, after: .seconds(600)) { ids in
            expired.cell.pointee += ids.count
        }
        let entries = (0..<connections).compactMap { idle?.add($0) }
        let turns = count / Turns.operations
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            var alive = 0
            var next = turn
            for _ in 0..<Turns.operations {
                next = step(next, by: stride, of: connections)
                alive += entries[next].touch() ? 1 : 0
            }
            touched.cell.pointee += alive
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("touched", touched.value, is: (turns + 1) * Turns.operations)
        try measurement.check("expired", expired.value, is: 0)
        let removed = entries.count { $0.remove() }
        try measurement.check("removed", removed, is: connections)
        // Its timer goes with it.
        idle = nil
        try field.close(&measurement)
        return measurement
    }
}

extension TimerContender {
    /// The same with a timer for each connection, which every sign of life moves.
    static func keepAlive(connections: Int, moves: Int, stride: Int) throws -> Measurement {
        let field = try Field<Self>(outstanding: connections, delays: .tenMinutes)
        // `nonisolated(unsafe)` because only the field's own closures use its handles.
        nonisolated(unsafe) let handles = field.handles
        let context = field.context
        let (fired, moved) = (field.fired, Tally())
        let work: @Sendable () -> Void = { fired.cell.pointee &+= 1 }
        let delay = Delays.tenMinutes[0]
        let turns = max(1, moves / Turns.operations)
        let span = field.turns.time(warmUp: 1, turns: turns) { turn in
            var next = turn
            for _ in 0..<Turns.operations {
                next = IdleTimeouts.step(next, by: stride, of: connections)
                moved.cell.pointee += context.rearm(&handles[next], after: delay, work) ? 1 : 0
            }
        }
        var measurement = Measurement(span, operations: turns * Turns.operations)
        try measurement.check("moved", moved.value, is: (turns + 1) * Turns.operations)
        try field.close(&measurement)
        return measurement
    }
}
