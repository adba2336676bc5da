// SPDX-License-Identifier: Apache-2.0

/// Values that any thread leaves and one task takes, in their order.
///
/// **Thread:** any; one task at a time takes.
final class Mailbox<Letter: Sendable>: Sendable {
    private typealias Reader = UnsafeContinuation<Letter?, Never>
    private struct State {
        var letters: [Letter] = []
        var reader: Reader?
        var isClosed = false
    }
    private let state = Lock(State())

    /// Leaves a value for the task. After ``close()`` it is dropped.
    func put(_ letter: Letter) {
        let reader = state.withLock { state -> Reader? in
            if state.isClosed { return nil }
            if state.reader == nil { state.letters.append(letter) }
            return state.reader.take()
        }
        reader?.resume(returning: letter)
    }

    /// Values that were left are still taken; no more come.
    func close() {
        let reader = state.withLock { state -> Reader? in
            state.isClosed = true
            return state.reader.take()
        }
        reader?.resume(returning: nil)
    }

    /// Waits for a value; `nil` once the box is closed and empty, or the task is cancelled, which
    /// closes it.
    ///
    /// - Parameter asks: Called if there is none yet, before the wait.
    nonisolated(nonsending) func take(asking asks: @Sendable () -> Void = {}) async -> Letter? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (reader: Reader) in
                let found = state.withLock { state -> Letter?? in
                    if !state.letters.isEmpty { return .some(state.letters.removeFirst()) }
                    if state.isClosed { return .some(nil) }
                    state.reader = reader
                    return nil
                }
                if let found {
                    reader.resume(returning: found)
                } else {
                    asks()
                }
            }
        } onCancel: {
            close()
        }
    }
}
