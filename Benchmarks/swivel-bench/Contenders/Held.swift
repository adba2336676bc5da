// SPDX-License-Identifier: Apache-2.0
internal import BenchKit

/// Timers of which the memory is read.
enum Timeouts: Sendable {
    /// At random deadlines, without captures, cancelled on their loop.
    case standing
    /// An hour away and with captures, as timeouts are; cancelled on their loop, or elsewhere.
    case ofAnHour(elsewhere: Bool)
}

extension TimerContender {
    /// Arms `count` timers, reads memory, cancels them and reads again.
    static func memory(_ count: Int, of timeouts: Timeouts) throws -> Measurement {
        var measurement = Measurement()
        let field = try Field<Self>(outstanding: 0)
        let handles = Kept<Handle>(count)
        let (fired, cancelled) = (Tally(), Tally())
        _ = PlainCount.take()
        let reading = try MemoryReading.ofTimers(
            count,
            arm: {
                field.turns.run {
                    switch timeouts {
                    case .standing:
                        for index in 0..<count {
                            handles.append(
                                field.context.after(Delays.far[index]) { PlainCount.raise() })
                        }
                    case .ofAnHour:
                        for index in 0..<count {
                            handles.append(
                                field.context.after(Delays.hour[index]) {
                                    fired.cell.pointee &+= index < 0 ? 2 : 1
                                })
                        }
                    }
                }
                return handles.count
            },
            cancel: {
                let cancelAll: @Sendable () -> Void = {
                    handles.forEach { handle in
                        if field.context.cancel(handle) { cancelled.cell.pointee += 1 }
                    }
                    handles.removeAll()
                }
                if case .ofAnHour(elsewhere: true) = timeouts {
                    cancelAll()
                } else {
                    field.turns.run(cancelAll)
                }
                let ran = fired.value + PlainCount.take()
                return answers ? cancelled.value + ran : cancelled.value
            },
            run: { field.turns.run($0) })
        try field.close(&measurement)
        measurement[.bytes] = reading[.bytes]
        measurement[.growth] = reading[.growth]
        return measurement
    }
}
