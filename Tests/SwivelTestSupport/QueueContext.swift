// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import Testing

/// A serial context that keeps what it is given until the test runs it, one by one.
package final class QueueContext: ExecutionContext {
    private let queue = Shared<[@Sendable () -> Void]>()
    private let arrivals = Gate()
    private let isRunning = Shared(false)

    package init() {}

    package func execute(_ work: @escaping @Sendable () -> Void) {
        queue.append(work)
        arrivals.open()
    }

    package var isCurrent: Bool { isRunning.value }

    package var count: Int { queue.value.count }

    /// Waits until this many closures have arrived in all.
    @discardableResult
    package func waitForArrivals(_ times: Int) -> Bool { arrivals.wait(times: times) }

    package var arrived: Int { arrivals.opened }

    /// Runs the oldest closure. False: there is none.
    @discardableResult
    package func runNext() -> Bool {
        guard let work = take() else { return false }
        isRunning.value = true
        work()
        isRunning.value = false
        return true
    }

    package func runAll() {
        while runNext() {}
    }

    /// Releases the oldest closure without running it.
    package func dropNext() { _ = take() }

    private func take() -> (@Sendable () -> Void)? {
        queue.update { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
