// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport

/// The last event of a watch, and their number.
final class Ear: Sendable {
    let gate = Gate()
    let last = Shared<WatchEvent?>(nil)

    func hear(_ event: WatchEvent) {
        last.value = event
        gate.open()
    }
}
