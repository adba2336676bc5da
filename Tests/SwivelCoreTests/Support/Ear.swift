// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The last event of a watch, and their number.
final class Ear: Sendable {
    let gate = Gate()
    let last = Shared<WatchEvent?>(nil)

    func hear(_ event: WatchEvent) {
        last.value = event
        gate.open()
    }

    /// Waits for an event while the loop runs turns, for a minute at most.
    func wait(turning loop: Loop) {
        let limit = LoopClock.Instant.now.advanced(by: .seconds(60))
        while gate.opened == 0, LoopClock.Instant.now < limit { loop.onThread {} }
        gate.wait(seconds: 0)
    }
}
