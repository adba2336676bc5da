// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import Synchronization

/// A thread that keeps one core busy for as long as a measurement runs.
package final class BusyThread: Sendable {
    private let goesOn = Atomic(true)
    private let ended = DispatchSemaphore(value: 0)

    package init() {
        Thread.detachNewThread { [self] in
            while goesOn.load(ordering: .relaxed) {}
            ended.signal()
        }
    }

    package func stop() {
        goesOn.store(false, ordering: .relaxed)
        ended.wait()
    }
}
