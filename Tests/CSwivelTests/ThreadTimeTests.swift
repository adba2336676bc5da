// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// T8: the time that a thread reads.
@Suite struct ThreadTimeTests {
    @Test func itGoesAlongFromLoopToLoop() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_thread_time_goes_on().map { String(cString: $0) } == nil)
        }
    }

    /// The child may be in another time namespace.
    @Test func aForkedChildBeginsAnew() async {
        await #expect(processExitsWith: .success) {
            #expect(swivel_thread_time_ends_in_a_child().map { String(cString: $0) } == nil)
        }
    }
}
