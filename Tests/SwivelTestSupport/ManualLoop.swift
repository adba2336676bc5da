// SPDX-License-Identifier: Apache-2.0
import Foundation
package import SwivelCore
import Testing
// Exported, so that all files of the tests can move a loop's time.
@_exported public import SwivelTesting

/// Where the time of a test's loop begins: at 1,000 s, or where `SWIVEL_TEST_START` says, such as
/// `real+50ms` or `real-10s`: that long after or before the real clock's present time.
package let epoch = TestStart.instant(getenv("SWIVEL_TEST_START").map { String(cString: $0) })

private enum TestStart {
    static func instant(_ text: String?) -> LoopClock.Instant {
        guard let text else { return LoopClock.Instant(nanoseconds: 1_000_000_000_000) }
        guard let match = text.wholeMatch(of: /real([+-])([0-9]+)(ms|s)/),
            let number = Int64(match.2)
        else {
            fatalError("SWIVEL_TEST_START is to look like real+50ms or real-10s, not \(text)")
        }
        let distance = match.3 == "s" ? Duration.seconds(number) : .milliseconds(number)
        let start = LoopClock.Instant.now.advanced(by: match.1 == "-" ? .zero - distance : distance)
        // Tests count in milliseconds from here, and some reach into the past.
        let milliseconds = max(start.nanoseconds / 1_000_000, 1_000)
        return LoopClock.Instant(nanoseconds: milliseconds * 1_000_000)
    }
}

/// A loop whose time the test moves.
package func manualLoop(turnBudget: Loop.TurnBudget = .init(), maxPendingPosts: Int? = nil) throws
    -> Loop
{
    try Loop.manual(
        Loop.Configuration(
            name: "test.manual", turnBudget: turnBudget, maxPendingPosts: maxPendingPosts),
        startingAt: epoch)
}

/// A loop with a thread. The name distinguishes it from the library's own.
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
    package func runDue() { advance(by: .zero) }

    /// Runs `body` in one of the loop's closures, and returns what it returns. The loop is manual.
    @discardableResult
    package func inside<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
        let result = Shared<R?>(nil)
        execute { result.value = body() }
        runDue()
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

    /// As `onThread`, for a task.
    package func visit(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            execute {
                body()
                continuation.resume()
            }
        }
    }

    /// Waits until the turn that is under way has ended, whose end brings the metrics up to date.
    package func endTurn() {
        onThread {}
        onThread {}
    }
}
