// SPDX-License-Identifier: Apache-2.0

/// Values in order, each for the next task that takes one. **Thread:** a world's.
final class Mailbox<Value: Sendable>: @unchecked Sendable {
    // because one thread uses it.
    private var values: ArraySlice<Value> = []
    private var end: Result<Value?, any Error>?
    private var waiting: [(id: UInt64, task: CheckedContinuation<Value?, any Error>)] = []
    private var ids: UInt64 = 0

    var isOver: Bool { end != nil }

    func put(_ value: Value) {
        guard end == nil else { return }
        if waiting.isEmpty {
            values.append(value)
        } else {
            waiting.removeFirst().task.resume(returning: value)
        }
    }

    /// Ends the values, after those that are there if `error` is `nil`.
    func finish(_ error: (any Error)? = nil) {
        guard end == nil else { return }
        end = error.map { .failure($0) } ?? .success(nil)
        if error != nil { values = [] }
        let ended = waiting
        waiting = []
        for (_, task) in ended { task.resume(with: end ?? .success(nil)) }
    }

    /// The next value; `nil`: they have ended.
    func next() async throws -> Value? {
        ids += 1
        let id = ids
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { task in
                if Task.isCancelled {
                    task.resume(throwing: CancellationError())
                } else if let value = values.popFirst() {
                    task.resume(returning: value)
                } else if let end {
                    task.resume(with: end)
                } else {
                    waiting.append((id, task))
                }
            }
        } onCancel: {
            guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
            waiting.remove(at: index).task.resume(throwing: CancellationError())
        }
    }
}
