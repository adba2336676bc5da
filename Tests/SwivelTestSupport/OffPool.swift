// SPDX-License-Identifier: Apache-2.0
package import Testing

/// Runs each test of a suite on a thread of its own and checks that it leaves no closure behind.
///
/// The tests block. On the cooperative pool, which is as wide as the machine has processors, two of
/// them would starve everything else.
package struct OffPool: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let executor = ThreadExecutor()
        try await withTaskExecutorPreference(executor) {
            try await function()
        }
        executor.stop()
        if !Probe.allAreReleased() {
            Issue.record("\(Probe.alive.value) closures are left")
            Probe.alive.add(-Probe.alive.value)
        }
    }
}

extension Trait where Self == OffPool {
    /// See ``OffPool``.
    package static var offPool: OffPool { OffPool() }
}
