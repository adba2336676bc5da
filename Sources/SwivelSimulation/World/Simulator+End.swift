// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

extension Simulator {
    /// Ends the run. The world's tasks take no more steps, but for those that are inside an actor
    /// now: others may wait for that actor, so its turn continues outside.
    func end() {
        isOver = true
        for arrival in executor.takeArrivals(atEnd: true) { WorldExecutor.leave(arrival.job) }
        network.end()
        while ready.count > 0 { leave(ready.take(0)) }
        for lane in lanes.indices {
            while !lanes[lane].isEmpty { leave(lanes[lane].removeFirst()) }
            lanes[lane].free()
        }
        while alarms.count > 0 { leave(alarms.takeFirst()) }
        ready.free()
        alarms.free()
        for loop in loops where loop.loop.refusal == nil { loop.loop.shutdown() }
        loops = []
        cast.forgetEnded()
    }

    private func leave(_ item: Item) {
        switch item.kind {
        case .job: WorldExecutor.leave(Self.job(item.word))
        case .closure, .call: _ = Closure.take(item.word)
        case .sleep: break
        }
    }

    /// The tasks that have not ended, and the jobs that would end their sleeps. They never go on,
    /// and are kept.
    var remains: [UInt] {
        cast.tasks.flatMap { number -> [UInt] in
            let member = cast[number].pointee
            let task = member.task.map { UInt(bitPattern: $0) } ?? 0
            return member.sleep == 0 ? [task] : [task, member.wake]
        }
    }
}
#endif
