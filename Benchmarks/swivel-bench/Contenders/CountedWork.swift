// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// The contests of operations that are counted, one by one, whatever is counted.
enum CountedWork {
    static func contests(_ scenario: String, _ metric: Metric) -> [Contest] {
        func contest(
            _ variant: String, _ subject: String, _ rival: String,
            ours: @escaping @Sendable () throws -> Measurement,
            theirs: @escaping @Sendable () throws -> Measurement
        ) -> Contest {
            Contest(
                scenario, variant, subject: Side(subject, measure: ours),
                rivals: [Side(rival, [metric], measure: theirs)])
        }
        func timers(_ variant: String, _ operation: Counted) -> Contest {
            Contest(
                scenario, variant,
                subject: Side(Loop.name) { try LineUp.subject.counts(operation) },
                rivals: LineUp.timers.sides([metric]) { try $0.counts(operation) })
        }
        func map(_ variant: String, capturing: Bool) -> Contest {
            contest(variant, "Future", RivalName.swiftTask) {
                try FutureChains.counts(capturing: capturing)
            } theirs: {
                try TaskChains.counts()
            }
        }
        return [
            timers("schedule+cancel, capturing", .pairs(capturing: true)),
            timers("schedule+cancel, plain", .pairs(capturing: false)),
            timers("rearm", .rearm), timers("fire", .fire), timers("cancel", .cancel),
            contest("once, capturing", Loop.name, RivalName.backend) {
                try Loop.countsOfReplacing()
            } theirs: {
                try DispatchBackend.countsOfReplacing()
            },
            contest("LoopTimer.arm", Loop.name, RivalName.source) {
                try OperationCount<Loop>().arm()
            } theirs: {
                try TimerSources.counts(.rearm)
            },
            map("map, capturing", capturing: true), map("map, plain", capturing: false),
        ]
    }
}
