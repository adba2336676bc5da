// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension Loop {
    /// Runs turns until `latch` opens or `deadline` has come. Returns the status of
    /// `swivel_loop_pump`. The turns' closures see none of the caller's task-local values.
    ///
    /// **Thread:** the loop's.
    func pump(
        for latch: Latch, until deadline: UInt64, file: StaticString, line: UInt
    ) -> Int32 {
        #if DEBUG
        let watch = PumpWatch(
            latch, inside: innermostWait, until: deadline, file: file, line: line)
        innermostWait = watch
        defer { innermostWait = watch.outer }
        return swivel__loop_pump(
            record,
            { argument in
                argument.map { Unmanaged<PumpWatch>.fromOpaque($0).takeUnretainedValue().isOver() }
                    ?? true
            }, Unmanaged.passUnretained(watch).toOpaque(), deadline,
            watch.isLasting ? PumpWatch.interval : 0, HiddenTurn.take)
        #else
        return swivel__loop_pump(
            record,
            { argument in
                argument.map { Unmanaged<Latch>.fromOpaque($0).takeUnretainedValue().isOpen }
                    ?? true
            }, Unmanaged.passUnretained(latch).toOpaque(), deadline, 0, HiddenTurn.take)
        #endif
    }
}

/// A turn behind the curtain.
struct HiddenTurn: Hidden {
    let record: OpaquePointer
    let now: UInt64
    var leavesMore = false

    mutating func run() {
        leavesMore = swivel__turn(record, now)
    }

    /// Computed, because what is made at its first use may be under way beside a fork.
    static var take: @convention(c) (OpaquePointer, UInt64) -> Bool {
        { Curtain.drawn(HiddenTurn(record: $0, now: $1)).leavesMore }
    }
}
