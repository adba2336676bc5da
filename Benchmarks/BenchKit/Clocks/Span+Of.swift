// SPDX-License-Identifier: Apache-2.0
extension Span {
    /// The time that `body` takes, with the CPU time of the work that it leaves to other threads.
    package static func of(_ body: () throws -> Void) rethrows -> Span {
        let sleeps = Clocks.sleeps()
        let cpu = Clocks.processCPU()
        let wall = Clocks.wall()
        try body()
        var span = Span(wall: Clocks.elapsed(from: wall, to: Clocks.wall()), cpu: 0)
        span.sleeps = Clocks.sleeps() - sleeps
        span.cpu = Clocks.elapsed(from: cpu, to: Settle.untilIdle())
        return span
    }
}
