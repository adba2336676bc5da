// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct KeptTests {
    /// Handles that are to be read take their bytes, and others none: their memory was there.
    @Test(arguments: [(true, 8.0), (false, 0.0)])
    func handlesCountOnlyWhereTheyAreTo(isCounted: Bool, bytes: Double) throws {
        let count = 1_000_000
        let handles = Kept<Int>(count, isCounted: isCounted)
        let measurement = try MemoryReading.ofTimers(count) {
            MemoryReading.Steps(
                arm: {
                    for index in 0..<count { handles.append(index) }
                    return handles.count
                }, cancel: { handles.removeAll() })
        }
        let read = measurement[.bytes] ?? .infinity
        #expect(abs(read - bytes) < 1, "\(read) bytes")
    }
}
