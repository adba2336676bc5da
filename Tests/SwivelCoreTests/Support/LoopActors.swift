// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// An actor that lives on a loop.
actor Resident {
    nonisolated let loop: Loop
    private(set) var visits = 0
    private var inside = 0

    init(_ loop: Loop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    /// Whether the visit runs on the loop, and alone.
    @discardableResult
    func visit() -> Bool {
        visits += 1
        inside += 1
        defer { inside -= 1 }
        return loop.isCurrent && inside == 1
    }

    func run<R: Sendable>(_ body: @Sendable () -> R) -> R { body() }

    /// Visits `other` again and again, and returns how many of both sides' visits were right.
    func visit(_ other: Resident, times: Int) async -> Int {
        var right = 0
        for _ in 0..<times {
            right += await other.visit() ? 1 : 0
            right += visit() ? 1 : 0
        }
        return right
    }

    /// Sleeps on the clock that is current here.
    func doze(_ duration: Duration) async throws {
        try await Task.sleep(for: duration, clock: LoopClock())
    }
}

/// Waits for a task from a plain thread, or from a test that may block.
func ended<Value: Sendable>(_ task: Task<Value, Never>) -> Value? {
    let result = Shared<Value?>(nil)
    let gate = Gate()
    Task.detached {
        result.value = await task.value
        gate.open()
    }
    gate.wait()
    return result.value
}
