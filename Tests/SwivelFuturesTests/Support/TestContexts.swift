// SPDX-License-Identifier: Apache-2.0
import Dispatch
import SwivelCore
import SwivelDispatch
// Exported, so that all files of the tests can move a loop's time.
@_exported import SwivelTesting

/// A context that keeps what it is given until the test runs it, or drops it.
final class QueueContext: ExecutionContext {
    private let queue = Shared<[@Sendable () -> Void]>()

    func execute(_ work: @escaping @Sendable () -> Void) {
        queue.append(work)
    }

    var isCurrent: Bool { false }

    var count: Int { queue.value.count }

    /// Runs the oldest closure. False: there is none.
    @discardableResult
    func runNext() -> Bool {
        guard let work = take() else { return false }
        work()
        return true
    }

    func runAll() {
        while runNext() {}
    }

    /// Releases the oldest closure without running it.
    func dropNext() {
        _ = take()
    }

    private func take() -> (@Sendable () -> Void)? {
        queue.update { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// A context that drops what it is given.
let dropping = AnyContext { _ in }

/// A context that runs work at once, as the user's own type might.
let inline = AnyContext { $0() }

/// A new serial queue.
func serialQueue() -> DispatchQueue {
    DispatchQueue(label: "swivel.test")
}

/// Where the time of a manual loop begins.
let epoch = LoopClock.Instant(nanoseconds: 1_000_000_000_000)

/// A loop whose time the test moves.
func manualLoop() throws -> Loop {
    try Loop.manual(Loop.Configuration(name: "test.manual"), startingAt: epoch)
}

extension Loop {
    /// Runs what is due without moving the time.
    func settle() {
        advance(by: .zero)
    }
}
