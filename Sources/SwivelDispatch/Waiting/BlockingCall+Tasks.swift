// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

extension BlockingCall {
    /// In debug builds, reports once for each call site that a task blocks a thread which other tasks
    /// need. (In an executor job on a loop, ``Latch/wait(until:)`` stops the program.)
    func reportInTask() {
        #if DEBUG
        guard Self.isOnCooperativePool else { return }
        Diagnostics.report(
            """
            \(operation) blocks its thread inside a Swift task, and the cooperative pool has one \
            thread a processor: use 'await' there
            """, file: file, line: line)
        #endif
    }

    #if DEBUG
    /// Whether the caller is inside a task that has no executor of its own.
    static var isOnCooperativePool: Bool {
        withUnsafeCurrentTask { $0.map { $0.unownedTaskExecutor == nil } ?? false }
    }
    #endif
}
