// SPDX-License-Identifier: Apache-2.0
internal import CAllocCount
internal import Foundation

/// Readings of what the process holds of the machine's memory.
package enum Memory {
    /// Keeps the allocator from changing its habits in the course of a run. To be called first.
    package static func holdThresholds() { alloc_count_hold_thresholds() }

    /// Has the allocator give back what the calling thread no longer needs.
    package static func trimThread() { alloc_count_trim_thread() }

    /// Bytes resident and private to this process, or `nil` where the system does not tell.
    ///
    /// Free pages at the heap's end are given back first: the reading is of what is in use.
    package static func privateResident() -> Int? {
        alloc_count_trim()
        guard let rollup = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        else { return nil }
        var total: Int?
        for line in rollup.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 2, let kilobytes = Int(fields[1]) else { continue }
            if ["Private_Clean:", "Private_Dirty:", "Private_Hugetlb:"].contains(fields[0]) {
                total = (total ?? 0) + kilobytes * 1024
            }
        }
        return total
    }
}
