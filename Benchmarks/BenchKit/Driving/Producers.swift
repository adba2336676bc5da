// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation

/// Threads that all begin at once and are waited for.
package struct Producers {
    private let ready = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    /// Starts the threads, each on a core of its own; they warm up, and wait at the gate.
    private init(
        _ count: Int, warmUp: @escaping @Sendable (Int) -> Void = { _ in },
        _ body: @escaping @Sendable (Int) -> Void
    ) {
        Cores.leaveFree(count)
        for index in 0..<count {
            Thread.detachNewThread { [ready, gate, finished] in
                Cores.take(index)
                warmUp(index)
                ready.signal()
                gate.wait()
                body(index)
                finished.signal()
            }
        }
        for _ in 0..<count { ready.wait() }
    }

    /// Times `count` threads at work, until `drained` returns and the process is idle.
    ///
    /// - Parameter warmUp: what each thread does before, without being measured.
    package static func time(
        _ count: Int, warmUp: @escaping @Sendable (Int) -> Void = { _ in },
        _ body: @escaping @Sendable (Int) -> Void, drained: () -> Void
    ) -> Span {
        let producers = Producers(count, warmUp: warmUp, body)
        Settle.untilIdle()
        let cpu = Clocks.processCPU()
        let wall = Clocks.wall()
        for _ in 0..<count { producers.gate.signal() }
        for _ in 0..<count { producers.finished.wait() }
        drained()
        let end = Clocks.wall()
        let cpuAtEnd = Settle.untilIdle()
        Cores.release()
        return Span(
            wall: Clocks.elapsed(from: wall, to: end),
            cpu: Clocks.elapsed(from: cpu, to: cpuAtEnd))
    }
}
