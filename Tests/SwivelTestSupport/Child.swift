// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc

/// Runs `body` in a forked child, for this many seconds at most. Returns the child's exit status; a
/// signal is 128 and more.
package func exitCode(ofChild body: () -> Void, endAfter seconds: UInt32 = 20) -> Int32 {
    let pid = fork()
    if pid == 0 {
        endChild(after: seconds)
        body()
        _exit(0)
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
}

/// Ends the child that calls this, by a signal. It has the forking thread's mask, and Dispatch's threads
/// block all signals.
package func endChild(after seconds: UInt32) {
    unblockHere(SIGALRM)
    alarm(seconds)
}
#endif
