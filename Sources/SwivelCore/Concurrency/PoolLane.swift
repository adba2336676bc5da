// SPDX-License-Identifier: Apache-2.0

/// Work that the worker pool runs one piece at a time, in order.
final class PoolLane: Sendable {
    private let state = Lock((work: [@Sendable () -> Void](), isRunning: false))

    /// Adds work, which waits for ``run()``. **Thread:** any, also under a lock.
    func add(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.work.append(work) } }

    /// Runs what was added on the pool, unless it runs already. **Thread:** any.
    func run() {
        let begins = state.withLock { state in
            guard !state.isRunning, !state.work.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        if begins {
            WorkerPool.shared.execute { [self] in
                while let next = take() { next.forEach { $0() } }
            }
        }
    }

    private func take() -> [@Sendable () -> Void]? {
        state.withLock { state in
            state.isRunning = !state.work.isEmpty
            defer { state.work = [] }
            return state.isRunning ? state.work : nil
        }
    }
}
