// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Dispatch
import Glibc
import SwivelFutures

private let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

private func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }

/// Twice as many tasks as processors block; others run, start tasks and sleep.
func blockedTasks() async {
    let semaphore = DispatchSemaphore(value: 0)
    let began = Count()
    let blocked = (0..<(2 * processors)).map { _ in
        Task.detached {
            began.add()
            block(semaphore)
        }
    }
    await until { began.value == blocked.count }
    let sum = await withTaskGroup(of: Int.self) { group in
        for number in 0..<100 {
            group.addTask {
                try? await Task.sleep(for: .microseconds(10 * number))
                return number
            }
        }
        return await group.reduce(0, +)
    }
    require(sum == 4_950, "the others have run")
    for _ in blocked { semaphore.signal() }
    for task in blocked { await task.value }
}

private func call() -> Int {
    let future = async { () async throws -> Int in
        try await Task.sleep(for: .milliseconds(20))
        return 1
    }
    return (try? future.await()) ?? 0
}

/// The work that ends the wait needs a thread of the pool.
func blockingWaitsOfSwivels() async {
    let count = 2 * processors
    let sum = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { call() } }
        return await group.reduce(0, +)
    }
    require(sum == count, "\(sum) of \(count) waits have ended")
}
#endif
