// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import Synchronization

/// Keeps reports, and waits for them.
final class Heard: Sendable {
    private let reports = Mutex<[Loop.HighWater]>([])
    private let more = DispatchSemaphore(value: 0)

    var all: [Loop.HighWater] { reports.withLock { $0 } }

    func add(_ report: Loop.HighWater) {
        reports.withLock { $0.append(report) }
        more.signal()
    }

    /// Blocks until `count` reports have come.
    func wait(for count: Int) {
        while all.count < count { more.wait() }
    }
}
