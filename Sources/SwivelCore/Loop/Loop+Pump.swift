// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension Loop {
    /// Runs turns until `latch` opens or `deadline` has come. Returns the status of
    /// `swivel_loop_pump`.
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
            watch.isLasting ? PumpWatch.interval : 0)
        #else
        return swivel__loop_pump(
            record,
            { argument in
                argument.map { Unmanaged<Latch>.fromOpaque($0).takeUnretainedValue().isOpen }
                    ?? true
            }, Unmanaged.passUnretained(latch).toOpaque(), deadline, 0)
        #endif
    }
}
