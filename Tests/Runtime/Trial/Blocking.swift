// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation

/// As many tasks as there are processors block in semaphores, and others want to run and to sleep.
enum Blocking {
    static func run(_ mode: Mode) -> Bool {
        let (blocked, others, total) = (Counter(), Counter(), 100)
        let semaphore = DispatchSemaphore(value: 0)
        let processors = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<processors { Task.detached { block(on: semaphore, blocked) } }
        var isInTime = wait(for: blocked, processors)
        for _ in 0..<total {
            Task.detached {
                try? await Task.sleep(for: .milliseconds(1))
                others.add()
            }
        }
        isInTime = wait(for: others, total) && isInTime
        Trial.row(
            "of \(total) tasks behind \(processors) blocked ones did not end",
            total - others.value, mode == .everything ? "zero" : "")
        for _ in 0..<processors { semaphore.signal() }
        return isInTime || mode != .everything
    }

    private static func block(on semaphore: DispatchSemaphore, _ blocked: Counter) {
        blocked.add()
        semaphore.wait()
    }

    /// Returns whether the count is reached within five seconds.
    private static func wait(for counter: Counter, _ total: Int) -> Bool {
        for _ in 0..<5_000 where counter.value < total { usleep(1_000) }
        return counter.value >= total
    }
}
