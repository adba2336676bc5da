// SPDX-License-Identifier: Apache-2.0
// Short forms of what a wait stands on. The latch itself has a model of its own, parker_model.c.
internal import Explorer
internal import SwivelCore

enum LoopClock {
    /// A time limit; see ``Limit``.
    enum Instant { case never, limit }
}

/// An event that happens once, for one thread that waits.
final class Latch: Sendable {
    private let signals = Shared()

    static func borrowed<R>(_ body: (Latch) -> R) -> R { body(Latch()) }

    func signal() {
        expect(Limit.passed != nil, "a wait leaves nothing in the room")
        runtime_give(Unmanaged.passUnretained(self).toOpaque())
        signals.add()
        expect(signals.value == 1, "a latch is opened once")
    }

    /// Blocks the calling thread. False: the time was up first.
    func wait(until deadline: LoopClock.Instant) -> Bool {
        signals.wait(until: 1, unless: deadline == .limit ? Limit.passed : nil)
        guard signals.value == 1 else { return false }
        runtime_take(Unmanaged.passUnretained(self).toOpaque())
        return true
    }
}

/// The time of the models, which has one instant.
enum Limit {
    nonisolated(unsafe) static var passed: Shared?  // because no thread of a model changes it.
}

/// A thread checks once before it sleeps.
enum Spin {
    static func isDone(
        before deadline: LoopClock.Instant, _ argument: UnsafeMutableRawPointer,
        _ found: @convention(c) (UnsafeMutableRawPointer?) -> Bool
    ) -> Bool {
        found(argument)
    }
}

enum Waiting {
    static func wait(
        for latch: Latch, until deadline: LoopClock.Instant, target: (any ExecutionContext)?,
        needing contexts: () -> [any ExecutionContext], operation: StaticString,
        file: StaticString, line: UInt
    ) -> Bool {
        latch.wait(until: deadline)
    }
}
