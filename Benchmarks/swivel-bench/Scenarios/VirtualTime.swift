// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelTesting

/// The real time that virtual time takes.
enum VirtualTime: Scenario {
    static let name = "virtual-time"
    static let summary = "await an advance of virtual time to a timer, with nothing else to run"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(20_000, quick: 2_000)
        return [
            Contest(
                name, "an instant", subject: Side(Loop.name) { try advance(count) },
                rivals: [
                    Side(RivalName.executor, [.wall]) { try SwiftTasks.yields(count) }
                ], reason: "the rival is a task that yields, and nothing more")
        ]
    }

    /// Steps that each fire one timer.
    private static func advance(_ count: Int) throws -> Measurement {
        let loop = try Loop.manual()
        let fired = Tally()
        let (span, _) = Awaited.time(on: nil) {
            for _ in 0..<count {
                loop.schedule(after: .milliseconds(1)) { fired.cell.pointee &+= 1 }
                await loop.advance(by: .milliseconds(1))
            }
        }
        var measurement = Measurement(span, operations: count)
        try measurement.check("fired", fired.value, is: count)
        return measurement
    }
}
