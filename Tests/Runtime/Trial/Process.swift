// SPDX-License-Identifier: Apache-2.0

internal import CHeap
internal import Foundation

/// The processor time and the memory of this process.
enum Process {
    /// User and system time of all threads, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Bytes that malloc has handed out and that were not freed.
    static var heap: Int {
        malloc_trim(0)
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }
}
