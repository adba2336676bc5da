// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Testing

/// Counts events on other threads, and waits for them: never by sleeping, and for a limited time.
package final class Gate: @unchecked Sendable {
    // because the monitor guards the count.
    private let monitor = Monitor()
    private var count = 0

    package init() {}

    /// Once more, or this many times more.
    package func open(_ times: Int = 1) {
        monitor.locked {
            count += times
            monitor.wakeAll()
        }
    }

    package var opened: Int {
        monitor.locked { count }
    }

    /// Waits until it was opened `times` times in all. A wait that takes longer than `seconds` fails
    /// the test, so that a loss shows as a failure and not as a hang.
    @discardableResult
    package func wait(
        times: Int = 1, seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Bool {
        let arrived = isOpened(times: times, seconds: seconds)
        if !arrived {
            Issue.record(
                "opened \(opened) times in \(seconds) s, not \(times)",
                sourceLocation: sourceLocation)
        }
        return arrived
    }

    /// As `wait`, without failing the test.
    package func isOpened(times: Int = 1, seconds: Int) -> Bool {
        let limit = Date(timeIntervalSinceNow: Double(seconds))
        return monitor.locked {
            while count < times {
                if !monitor.wait(until: limit) {
                    return count >= times
                }
            }
            return true
        }
    }
}
