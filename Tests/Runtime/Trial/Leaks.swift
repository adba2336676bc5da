// SPDX-License-Identifier: Apache-2.0

internal import SwivelRuntime

/// The bytes that cancelled sleeps of an hour leave.
struct Leaks: Sendable {
    private let mode: Mode
    private let executor: (any TaskExecutor)?
    private let count: Int

    init(_ mode: Mode, _ executor: (any TaskExecutor)?, count: Int) {
        (self.mode, self.executor, self.count) = (mode, executor, count)
    }

    /// Cancels sleeps that have begun, 10,000 at a time.
    @Sendable func cancelled() async -> Bool {
        let before = Process.heap
        for _ in 0..<count / 10_000 {
            let begun = Counter()
            let tasks = (0..<10_000).map { _ in
                sleep { begun.add() }
            }
            await begun.reaches(tasks.count)
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
        return await report(since: before)
    }

    /// Cancels each sleep a moment after it has begun to arm its timer, from another thread: the
    /// moment moves from 0 to about 2 µs in steps of some nanoseconds.
    @Sendable func window() async -> Bool {
        let before = Process.heap
        for index in 0..<count {
            let begun = Counter()
            let task = sleep { begun.add() }
            var looks = 0
            while begun.value == 0 {
                looks += 1
                if looks > 100_000 { await Task.yield() }  // On a single processor.
            }
            for _ in 0..<index % 512 { _ = begun.value }
            task.cancel()
            await task.value
        }
        return await report(since: before)
    }

    private func sleep(_ begin: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task.detached(executorPreference: executor) {
            begin()
            try? await Task.sleep(for: .seconds(3_600))
        }
    }

    private func report(since before: Int) async -> Bool {
        // The last tasks free their memory on their own threads.
        try? await Task.sleep(for: .milliseconds(100))
        let left = Double(Process.heap - before) / Double(count)
        Trial.row("bytes left by each cancelled sleep", left, "most 16")
        Trial.row("sleeps pending", SwivelRuntime.metrics.sleepsPending)
        return mode == .off || left <= 16
    }
}
