// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// Waits on an event source's thread.
@Suite struct EventSourceTests {
    /// As a loop's: what was there by the limit counts, however late the thread is woken.
    @Test func whatCameByTheLimitIsServedBeforeTheWaitEnds() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_source_fixture_wait() == 1)
        }
    }
}
