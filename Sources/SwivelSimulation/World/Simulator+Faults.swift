// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore

extension Simulator {
    /// A task has suspended.
    func suspended(_ member: Member) {
        if settings.longestJump > 0, chance.next() % 16 == 0 {
            let length = Int64(chance.next() % UInt64(settings.longestJump))
            wallOffset += chance.next() % 2 == 0 ? length : -length
            timeline.add(.clockIsSet, member.number, step, time, wallOffset)
            showTime()
        }
        if suspensionsToCancel < 0 { return }
        suspensionsToCancel -= 1
        if suspensionsToCancel >= 0 { return }
        hasCancelled = true
        timeline.add(.isCancelled, member.number, step, time)
        unsafeBitCast(member.address, to: UnsafeCurrentTask.self).cancel()
    }
}
#endif
