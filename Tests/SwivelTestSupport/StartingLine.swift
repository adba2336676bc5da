// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs `body` on `count` threads that begin together, and waits for all of them.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = StartingLine(count)
    let threads = (0..<count).map { number in
        TestThread {
            start.lineUp()
            body(number)
        }
    }
    threads.forEach { $0.join() }
}

/// Holds threads until all have arrived; they spin, so that they leave within nanoseconds.
package final class StartingLine: Sendable {
    private let missing: Counter

    package init(_ count: Int) { missing = Counter(count) }

    package func lineUp() {
        missing.add(-1)
        var checks = 0
        while missing.value > 0 {
            checks += 1
            if checks % 1000 == 0 {
                sched_yield()
            }
        }
    }
}
