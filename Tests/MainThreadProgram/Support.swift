// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch

/// Ends the program as a failure whose reason is in its output.
func require(_ condition: Bool, _ message: String, line: UInt = #line) {
    if !condition {
        fatalError("line \(line): \(message)")
    }
}

/// Waits as every blocking call of Swivel does.
@discardableResult
func wait(
    _ latch: Latch, until deadline: LoopClock.Instant = .never,
    target: (any ExecutionContext)? = nil, file: StaticString = #fileID, line: UInt = #line
) -> Bool {
    Waiting.wait(
        for: latch, until: deadline, target: target, operation: "wait(_:)", file: file,
        line: line)
}

/// The events, in order. On the main thread only.
@MainActor final class Journal {
    private(set) var entries: [String] = []

    nonisolated init() {}

    func note(_ entry: String) { entries.append(entry) }
}

/// Runs `body` in a main-queue block, by a wait outside of it.
@MainActor func inBlock(_ body: @escaping @MainActor @Sendable () -> Void) {
    let ended = Latch()
    DispatchQueue.main.async {
        MainActor.assumeIsolated { body() }
        ended.signal()
    }
    wait(ended)
}
