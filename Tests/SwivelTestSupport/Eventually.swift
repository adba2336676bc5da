// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Waits until other threads have made `condition` true. False: it has not come in `seconds`.
///
/// It checks again and again, for conditions that no thread announces. A ``Gate`` needs no polling.
package func eventually(seconds: Int = 30, _ condition: () -> Bool) -> Bool {
    let ends = SuspendingClock.now + .seconds(seconds)
    var checks = 0
    while !condition() {
        if SuspendingClock.now > ends {
            return false
        }
        checks += 1
        if checks < 1000 {
            sched_yield()
        } else {
            usleep(100)
        }
    }
    return true
}
