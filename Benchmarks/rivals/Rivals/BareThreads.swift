// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import CBareThreads

/// Two threads with nothing around them: what a wait for another thread costs at least.
package enum BareThreads {
    /// A number handed to the other thread and back.
    ///
    /// - Parameter looking: whether both sides look for as long as they wait, instead of sleeping.
    package static func handOver(_ series: WaitSeries, looking: Bool) throws -> Measurement {
        var opened: OpaquePointer?
        guard bare_pair_open(looking, &opened) == 0, let opened else {
            throw BenchFailure("no thread for a bare pair")
        }
        // `nonisolated(unsafe)` because one thread at a time calls it.
        nonisolated(unsafe) let pair = opened
        return try series.measure {
            Int(bare_pair_call(pair, Int64($0)))
        } end: {
            bare_pair_close(pair)
        }
    }
}
