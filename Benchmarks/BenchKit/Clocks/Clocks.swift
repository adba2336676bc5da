// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The clocks that measurements read, all in nanoseconds.
package enum Clocks {
    /// Monotonic time: the clock that Swivel's deadlines and every rival's are on.
    package static func wall() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// CPU time that all threads of the process have used, those included that run now.
    package static func processCPU() -> UInt64 {
        #if os(Linux)
        ThreadClocks.update()
        #endif
        return read(CLOCK_PROCESS_CPUTIME_ID)
    }

    /// CPU time that all threads but the calling one have used: what reading clocks costs is not in
    /// it.
    package static func othersCPU() -> UInt64 {
        let all = processCPU()
        return elapsed(from: threadCPU(), to: all)
    }

    /// CPU time that the calling thread has used.
    package static func threadCPU() -> UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Nanoseconds from one reading to another. Readings of two clocks are not taken at one instant,
    /// and their difference may come out below zero, which is zero.
    package static func elapsed(from start: UInt64, to end: UInt64) -> UInt64 {
        end > start ? end - start : 0
    }

    /// Blocks the calling thread for this many nanoseconds, without using CPU.
    package static func pause(_ nanoseconds: UInt64) { pause(until: wall() + nanoseconds) }

    /// Blocks the calling thread until the monotonic clock shows `instant`.
    package static func pause(until instant: UInt64) {
        while true {
            let now = wall()
            if now >= instant { return }
            let left = instant - now
            // Interrupted by a signal, it returns early: the clock decides.
            var request = timespec(
                tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            nanosleep(&request, nil)
        }
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
