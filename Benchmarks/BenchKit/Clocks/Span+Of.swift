// SPDX-License-Identifier: Apache-2.0

extension Span {
    /// The time that `body` takes, with the CPU time of the work that it leaves to other threads.
    ///
    /// - Parameter besideBusyThread: whether another thread keeps a core busy meanwhile. Its CPU
    ///   time does not count; its preemptions do.
    package static func of(
        besideBusyThread: Bool = false, _ body: () throws -> Void
    ) rethrows -> Span {
        let busy = besideBusyThread ? BusyThread() : nil
        let switches = Clocks.switches()
        let cpu = Clocks.processCPU() - (busy?.cpu ?? 0)
        let wall = Clocks.wall()
        do {
            try body()
        } catch {
            busy?.stop()
            throw error
        }
        var span = Span(wall: Clocks.elapsed(from: wall, to: Clocks.wall()), cpu: 0)
        let now = Clocks.switches()
        span.switches = Switches(
            sleeps: now.sleeps - switches.sleeps,
            preemptions: now.preemptions - switches.preemptions)
        // Nothing settles beside a busy thread.
        busy?.stop()
        span.cpu = Clocks.elapsed(from: cpu, to: Settle.untilIdle() - (busy?.cpu ?? 0))
        return span
    }
}
