// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc

/// Runs `body` in a forked child, for so many seconds at most. Returns what the child exits with; a
/// signal is 128 and more.
package func exitCode(ofChild body: () -> Void, endAfter seconds: UInt32 = 20) -> Int32 {
    let pid = fork()
    if pid == 0 {
        alarm(seconds)
        body()
        _exit(0)
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
}
#endif
