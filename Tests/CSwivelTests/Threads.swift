// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Runs a blocking body on a thread of its own: two of them on the cooperative pool would starve
/// it.
func offPool<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// Runs the body on `count` threads at the same time, and returns what they returned.
func onThreads<T: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> T
) async throws -> [T] {
    try await withThrowingTaskGroup(of: (Int, T).self) { group in
        for number in 0..<count {
            group.addTask {
                try await offPool { (number, try body(number)) }
            }
        }
        var results: [Int: T] = [:]
        for try await (number, result) in group {
            results[number] = result
        }
        return results.sorted { $0.key < $1.key }.map { $0.value }
    }
}

/// A body that another thread runs while the caller waits.
struct Unchecked: @unchecked Sendable {  // because its sender waits for it
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}

/// Runs the body on a thread of its own, and waits for its end.
func runOnThread(_ body: @escaping () -> Void) {
    let run = Unchecked(body)
    let ended = DispatchSemaphore(value: 0)
    Thread {
        run.body()
        ended.signal()
    }.start()
    ended.wait()
}
