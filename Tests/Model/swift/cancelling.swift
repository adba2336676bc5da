// SPDX-License-Identifier: Apache-2.0
// A stand-in for the cancellation of Swift's tasks: a cancel runs the handler under the lock of the
// task's status, which the end of the handler's scope takes too, as Swift's runtime has it. The file
// next to this one defines whose `currentCancellation` is.

/// The cancellation of one task.
final class Cancellation: Sendable {
    private struct Status {
        var isCancelled = false
        var handler: (() -> Void)?
    }

    private let status = Lock(Status())

    func cancel() {
        status.withLock { status in
            status.isCancelled = true
            status.handler?()
        }
    }

    func during(_ handler: @escaping () -> Void) {
        let isCancelled = status.withLock { status in
            if !status.isCancelled { status.handler = handler }
            return status.isCancelled
        }
        if isCancelled { handler() }
    }

    func handlerEnds() {
        status.withLock { $0.handler = nil }
    }
}

func withTaskCancellationHandler<R>(
    operation: () throws -> R, onCancel handler: () -> Void
) rethrows -> R {
    try withoutActuallyEscaping(handler) { handler in
        currentCancellation.during(handler)
        defer { currentCancellation.handlerEnds() }
        return try operation()
    }
}
