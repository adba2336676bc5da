// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Synchronization

/// A thread that keeps one core busy for as long as a measurement runs.
package final class BusyThread: Sendable {
    private let goesOn = Atomic(true)
    private let spent = Atomic<UInt64>(0)
    private let ended = DispatchSemaphore(value: 0)

    package init() {
        Thread.detachNewThread { [self] in
            while goesOn.load(ordering: .relaxed) {
                spent.store(Clocks.threadCPU(), ordering: .relaxed)
                for _ in 0..<1_000 where !goesOn.load(ordering: .relaxed) { break }
            }
            ended.signal()
        }
    }

    /// The CPU time that it has used, to a few microseconds.
    package var cpu: UInt64 { spent.load(ordering: .relaxed) }

    package func stop() {
        goesOn.store(false, ordering: .relaxed)
        ended.wait()
    }
}
