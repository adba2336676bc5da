// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// The CPU clocks of the process's threads.
///
/// The process's own clock lags: the kernel adds what a thread uses when that thread sleeps and at
/// ticks, which are up to 10 ms apart. Between two ticks a process looks idle that is not. Reading the
/// clock of a thread has the kernel add what that has used up to now.
enum ThreadClocks {
    /// Brings the process's CPU clock up to date.
    static func update() {
        guard let folder = opendir("/proc/self/task") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { atoi($0) }
            }
            guard name > 0 else { continue }
            // A thread that has ended has no clock any more, and is in the sum already.
            var time = timespec()
            clock_gettime(clock(ofThread: name), &time)
        }
    }

    /// The kernel's name for a thread's clock: the complement of the thread's number, and bits for a
    /// thread and for the scheduler's time.
    private static func clock(ofThread number: Int32) -> clockid_t { ~number << 3 | 0b110 }
}
#endif
