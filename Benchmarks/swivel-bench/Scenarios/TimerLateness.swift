// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Rivals
internal import Swivel

/// How late one timer at a time is, counted from its scheduled instant.
enum TimerLateness: Scenario {
    static let name = "lateness"
    static let summary =
        "how late single timers of 1 to 3 ms fire, idle and next to busy processes, and how many are early"

    static func contests(_ plan: Plan) -> [Contest] {
        let count = plan.choose(1_000, quick: 100)
        let metrics: [Metric] = [.p50, .p90, .p99, .early]
        let rivals = LineUp.timers.filter {
            !plan.isQuick || [RivalName.source, RivalName.nio].contains($0.name)
        }
        let idle = Contest(
            name, "idle machine", subject: Side(Loop.name) { try Loop.lateness(count) },
            rivals: rivals.sides(metrics) { try $0.lateness(count) })
        return [idle] + [1, 2, 4].map { busy($0, metrics, count) } + [youth(count)]
    }

    /// Next to processes that use a processor each as far as the kernel lets them.
    private static func busy(_ processes: Int, _ metrics: [Metric], _ count: Int) -> Contest {
        Contest(
            name, "\(processes) busy process\(processes == 1 ? "" : "es")",
            subject: Side(Loop.name) {
                try BusyProcess.with(processes) { try Loop.lateness(count) }
            },
            rivals: LineUp.timers.only(RivalName.source, RivalName.nio).sides(metrics) { rival in
                try BusyProcess.with(processes) { try rival.lateness(count) }
            })
    }

    /// The first second of a loop's life, in which it learns the rate of the processor's counter.
    private static func youth(_ count: Int) -> Contest {
        Contest(
            name, "a loop's first second",
            subject: Side(Loop.name) {
                try Loop.lateness(Field(try Loop.open(), outstanding: 0, age: 0), count)
            },
            rivals: [Side(RivalName.source, [.early]) { try TimerSources.lateness(count) }])
    }
}

extension TimerContender {
    static func lateness(_ count: Int) throws -> Measurement {
        try lateness(Field<Self>(outstanding: 1_000), count)
    }

    /// One timer after the other, each armed when the one before it fired.
    static func lateness(_ field: Field<Self>, _ count: Int) throws -> Measurement {
        let chain = Chain(count)
        let context = field.context
        // A source lives as long as its handle.
        let last = Latest<Handle>()
        @Sendable func arm(_ due: UInt64) {
            last.handle = context.at(due, leeway: 0) {
                if let next = chain.fired() { arm(next) }
            }
        }
        field.turns.run { arm(chain.start()) }
        chain.wait()
        var measurement = chain.lateness.measurement
        try measurement.check("fired", chain.lateness.count, is: count)
        field.turns.run {
            if !answers, let handle = last.handle { _ = context.cancel(handle) }
            last.handle = nil
        }
        try field.close(&measurement)
        return measurement
    }
}

/// The handle of the timer under way.
final class Latest<Handle>: @unchecked Sendable {
    // `@unchecked` because closures of one loop or serial queue alone use it.
    var handle: Handle?

    @inline(__always)
    func move(_ body: (inout Handle) -> Void) {
        guard var moved = handle.take() else { return }
        body(&moved)
        handle = moved
    }
}
