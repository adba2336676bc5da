// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Swivel

/// The memory that timers hold on a fresh loop, or queue.
enum Held {
    /// Where timers are cancelled.
    enum Place: Sendable { case onContext, elsewhere }

    /// Arms `count` timers, reads memory, cancels them and reads again.
    ///
    /// - Parameter capturing: whether the closures capture, as those of timeouts do.
    static func read<Context: Contender>(
        _: Context.Type, _ count: Int, delays: Delays, capturing: Bool, cancel: Place
    ) throws -> Measurement {
        var measurement = Measurement()
        let field = try Field<Context>(outstanding: 0)
        let handles = Kept<TimerHandle>(count)
        let (fired, cancelled) = (Tally(), Tally())
        _ = PlainCount.take()
        let reading = try MemoryReading.ofTimers(count) {
            MemoryReading.Steps(
                arm: {
                    field.turns.run {
                        arm(field.context, handles, count, delays, capturing ? fired : nil)
                    }
                    return handles.count
                },
                cancel: {
                    let cancelAll: @Sendable () -> Void = {
                        handles.forEach { handle in
                            if handle.cancel() == .cancelled { cancelled.cell.pointee += 1 }
                        }
                    }
                    if cancel == .onContext { field.turns.run(cancelAll) } else { cancelAll() }
                    return cancelled.value + fired.value + PlainCount.take()
                },
                run: { field.turns.run($0) }, close: { try field.close(&measurement) })
        }
        measurement[.bytes] = reading[.bytes]
        measurement[.growth] = reading[.growth]
        return measurement
    }

    private static func arm<Context: Contender>(
        _ context: Context, _ handles: Kept<TimerHandle>, _ count: Int, _ delays: Delays,
        _ fired: Tally?
    ) {
        if let fired {
            for index in 0..<count {
                handles.append(
                    context.after(delays.durations[index & delays.mask]) {
                        fired.cell.pointee &+= index < 0 ? 2 : 1
                    })
            }
        } else {
            for index in 0..<count {
                handles.append(
                    context.after(delays.durations[index & delays.mask]) { PlainCount.raise() })
            }
        }
    }
}
