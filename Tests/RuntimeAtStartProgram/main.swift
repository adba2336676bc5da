// SPDX-License-Identifier: Apache-2.0
// An unchanged program: its source names nothing of Swivel. It prints what its test checks.
import Dispatch
import Foundation

#if os(Linux)
func threadName() -> String {
    let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return name?.trimmingCharacters(in: .newlines) ?? "?"
}

/// The names of the process's threads.
func threadNames() -> Set<String> {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = threads.map { try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8) }
    return Set(names.compactMap { $0?.trimmingCharacters(in: .newlines) })
}

/// Child tasks add the numbers up.
nonisolated func sum(of count: Int) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for number in 0..<count { group.addTask { number } }
        return await group.reduce(0, +)
    }
}

/// Whether all of the main actor's code so far was on the main thread.
var isOnMainThread = true

@MainActor func checkTheMainActor() {
    MainActor.assertIsolated()
    isOnMainThread = isOnMainThread && Thread.isMainThread
}

checkTheMainActor()
print("a task runs on \(await Task.detached { threadName() }.value)")
checkTheMainActor()

for milliseconds in [1, 5, 20] {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(milliseconds))
    precondition(start.duration(to: .now) >= .milliseconds(milliseconds), "a sleep was early")
    checkTheMainActor()
}
print("threads: \(threadNames().sorted().joined(separator: ", "))")

let sleeper = Task { try await Task.sleep(for: .seconds(3_600)) }
await Task.yield()
sleeper.cancel()
guard case .failure = await sleeper.result else { fatalError("the sleep has not thrown") }
checkTheMainActor()

await withCheckedContinuation { continuation in
    DispatchQueue.main.async {
        checkTheMainActor()
        continuation.resume()
    }
}
checkTheMainActor()
let total = await sum(of: 100)
precondition(total == 4_950, "the children have run")
print("the main actor has the main thread: \(isOnMainThread)")
#endif
print("passed")
