// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

extension WorkerPool {
    /// Runs the work of the future at `awaited`, for which the calling worker of its pool is about
    /// to wait, if that is next and the worker would have to be replaced for it.
    ///
    /// **Thread:** any; false outside of a pool, in a loop's turn, and where work is promised to run
    /// before the thread waits.
    package static func runs(_ awaited: UnsafeMutableRawPointer) -> Bool {
        guard let pool = Thread.currentPool, Thread.isFree else { return false }
        var work = swivel_work()
        guard swivel__pool_help(pool.record, UInt(bitPattern: awaited), &work) else {
            return false
        }
        WorkerPool.run(&work)
        return true
    }
}
