// SPDX-License-Identifier: Apache-2.0
package import SwivelCore
import Testing
// Exported, so that all files of the tests can move a loop's time.
@_exported public import SwivelTesting

/// Where the time of a test's loop begins.
package let epoch = LoopClock.Instant(nanoseconds: 1_000_000_000_000)

/// A loop whose time the test moves.
package func manualLoop(turnBudget: Loop.TurnBudget = .init(), maxPendingPosts: Int? = nil) throws
    -> Loop
{
    try Loop.manual(
        Loop.Configuration(
            name: "test.manual", turnBudget: turnBudget, maxPendingPosts: maxPendingPosts),
        startingAt: epoch)
}

/// A loop with a thread. The name tells it from the library's own.
package func threadedLoop(_ name: String = "test.loop", maxPendingPosts: Int? = nil) throws -> Loop
{
    try Loop(Loop.Configuration(name: name, maxPendingPosts: maxPendingPosts))
}

extension Loop {
    /// Milliseconds since `epoch`.
    package var elapsed: Int {
        Int(clamping: (now.nanoseconds - epoch.nanoseconds) / 1_000_000)
    }

    /// Runs what is due without moving the time.
    package func settle() {
        advance(by: .zero)
    }

    /// Runs `body` in one of the loop's closures, and returns what it returns. The loop is manual.
    @discardableResult
    package func inside<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        let result = Shared<R?>(nil)
        execute { result.value = body() }
        settle()
        // swift-format-ignore: NeverForceUnwrap
        return result.value!  // because the closure has run
    }

    /// As `inside`, on a loop with a thread.
    @discardableResult
    package func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        let result = Shared<R?>(nil)
        let gate = Gate()
        execute {
            result.value = body()
            gate.open()
        }
        gate.wait()
        // swift-format-ignore: NeverForceUnwrap
        return result.value!  // because the closure has run
    }

    /// Waits until the turn that is under way has ended, whose end brings the metrics up to date.
    package func endTurn() {
        onThread {}
        onThread {}
    }
}
