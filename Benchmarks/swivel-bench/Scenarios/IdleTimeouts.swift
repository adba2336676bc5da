// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// The timeouts of idle connections: each read moves one.
enum IdleTimeouts: Scenario {
    static let name = "idle-timeout"
    static let summary = "say that one of 100,000 connections is alive"

    private static let connections = 100_000

    static func contests(_ plan: Plan) -> [Contest] {
        let touches = plan.choose(20_000_000, quick: 5_000_000)
        let moves = plan.choose(200_000, quick: 50_000)
        // One after the other; and with strides that no cache foresees.
        return [("touch", 1), ("touch, at random", 61_583)].map { variant, stride in
            Contest(
                name, variant,
                subject: Side(Loop.sideName, [.cpu, .wall]) { try touch(touches, stride) },
                rivals: [Side(RivalName.backend, [.cpu, .wall]) { try rearm(moves, stride) }])
        }
    }

    private static func step(_ connection: Int, by stride: Int) -> Int {
        let next = connection + stride
        return next < connections ? next : next - connections
    }

    private static func touch(_ count: Int, _ stride: Int) throws -> Measurement {
        let field = try Field<Loop>(outstanding: 0)
        let (expired, touched) = (Tally(), Tally())
        var idle: IdleTracker<Int>? = IdleTracker(on: field.context, after: .seconds(600)) { ids in
            expired.cell.pointee += ids.count
        }
        let entries = (0..<connections).compactMap { idle?.add($0) }
        let perTurn = count / 200
        let span = field.turns.time(warmUp: 1, turns: 200) { turn in
            var alive = 0
            var next = turn
            for _ in 0..<perTurn {
                next = step(next, by: stride)
                alive += entries[next].touch() ? 1 : 0
            }
            touched.cell.pointee += alive
        }
        var measurement = Measurement(span, operations: 200 * perTurn)
        try measurement.check("touched", touched.value, is: 201 * perTurn)
        try measurement.check("expired", expired.value, is: 0)
        let removed = entries.count { $0.remove() }
        try measurement.check("removed", removed, is: connections)
        // Its timer goes with it.
        idle = nil
        try field.close(&measurement)
        return measurement
    }

    /// The same with a timer for each connection.
    private static func rearm(_ count: Int, _ stride: Int) throws -> Measurement {
        let field = try Field<DispatchBackend>(outstanding: connections)
        let moved = Tally()
        let perTurn = count / 200
        let span = field.turns.time(warmUp: 1, turns: 200) { turn in
            var next = turn
            for _ in 0..<perTurn {
                next = step(next, by: stride)
                moved.cell.pointee += field.handles[next].rearm(after: .seconds(600)) ? 1 : 0
            }
        }
        var measurement = Measurement(span, operations: 200 * perTurn)
        try measurement.check("moved", moved.value, is: 201 * perTurn)
        try field.close(&measurement)
        return measurement
    }
}
