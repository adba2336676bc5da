// SPDX-License-Identifier: Apache-2.0

/// Work that a task has for a loop without room.
final class WaitingPost: Waits, @unchecked Sendable {
    // because the backlog's lock guards it, and no thread changes ``work`` while another posts it.
    var work: @Sendable () -> Void
    /// Gets whether the loop has accepted the work; `nil`: the task does not wait (any more).
    var task: UnsafeContinuation<Bool, Never>?
    var isCancelled = false
    var links = WaitingLinks<WaitingPost>()

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    /// The task stops waiting. Returns it.
    func leave() -> UnsafeContinuation<Bool, Never>? {
        defer { task = nil }
        return task
    }

    /// Drops the work. Returns it, to be released outside of the lock.
    func drop() -> @Sendable () -> Void {
        defer { work = {} }
        return work
    }
}
