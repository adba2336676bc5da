// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore

extension Simulator {
    var hasFaults: Bool { suspensionsToCancel >= 0 || settings.longestJump > 0 }

    /// A task has suspended.
    func suspended(_ number: Int) {
        if settings.longestJump > 0, chance.next() % 16 == 0 {
            let length = Int64(chance.next() % UInt64(settings.longestJump))
            wallOffset += chance.next() % 2 == 0 ? length : -length
            timeline.add(.clockIsSet, number, step, time, wallOffset)
            showTime()
        }
        if suspensionsToCancel < 0 { return }
        suspensionsToCancel -= 1
        guard suspensionsToCancel < 0, let task = cast[number].pointee.task else { return }
        hasCancelled = true
        timeline.add(.isCancelled, number, step, time)
        unsafeBitCast(task, to: UnsafeCurrentTask.self).cancel()
    }
}
#endif
