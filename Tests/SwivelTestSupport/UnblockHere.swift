// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Lets the calling thread receive a signal. Threads of Dispatch's block all of them, and hand that on.
package func unblockHere(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}

/// Raises a signal whose handler runs on this thread, before this returns.
package func raiseHere(_ number: Int32) {
    unblockHere(number)
    raise(number)
}
