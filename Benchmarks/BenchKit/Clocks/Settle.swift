// SPDX-License-Identifier: Apache-2.0
/// Waits until the process has nothing left to do, so that work which a side leaves to other
/// threads (Dispatch's manager thread, a loop's drain) is charged to that side and to no other.
package enum Settle {
    /// Blocks until the process uses hardly any CPU, at most for five seconds.
    ///
    /// - Returns: the process's CPU time at the end, less what the waiting itself has cost.
    @discardableResult
    package static func untilIdle() -> UInt64 {
        let ownAtStart = Clocks.threadCPU()
        let limit = Clocks.wall() + 5_000_000_000
        var calmPauses = 0
        var last = Clocks.othersCPU()
        // Two calm pauses in a row: a hand-over between two threads can look like calm once.
        while calmPauses < 2, Clocks.wall() < limit {
            Clocks.pause(pauseNanoseconds)
            let now = Clocks.othersCPU()
            // The two clocks are not read at one instant, so that the difference can shrink.
            calmPauses = now < last + calmNanoseconds ? calmPauses + 1 : 0
            last = now
        }
        // The reading of the first clock costs some of the second's time.
        let all = Clocks.processCPU()
        return Clocks.elapsed(
            from: Clocks.elapsed(from: ownAtStart, to: Clocks.threadCPU()), to: all)
    }

    /// Several times as long as it takes one thread to wake another, 20 to 120 µs.
    private static let pauseNanoseconds: UInt64 = 500_000

    /// 15 % of a core: a million timers standing by fire up to 17,000 times a second, which goes
    /// on for as long as they stand there.
    private static let calmNanoseconds: UInt64 = 75_000
}
