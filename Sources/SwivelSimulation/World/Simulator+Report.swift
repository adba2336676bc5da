// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import SwivelCore

extension Simulator {
    /// Describes the run so far.
    func report(_ end: SimulatedRun.End) -> SimulatedRun {
        cast.forgetEnded()
        return SimulatedRun(
            seed: seed, end: end, steps: step, tasks: cast.taskCount,
            elapsed: .nanoseconds(time), trace: timeline.hash, escapes: escapes,
            pending: end == .finished ? [] : cast.tasks.map(pending), events: timeline,
            names: (0..<cast.count).map(cast.name))
    }

    private func pending(_ number: Int) -> SimulatedRun.PendingTask {
        let member = cast[number].pointee
        let since = Timeline.text(member.since)
        let isQueued = member.task.map { TaskState($0).isQueued } ?? false
        let state =
            member.state == .running
            ? "waits for other steps"
            : isQueued ? "could go on" : member.sleep == 0 ? "waits" : "sleeps"
        let maker = number == 0 ? "" : " (made by \(cast.name(member.maker)))"
        // Where it continues; a new task begins with its function.
        let resumes = member.task.map { WakeJob.site(of: unsafeBitCast($0, to: UnownedJob.self)) }
        let site = member.site.map { UInt64(UInt(bitPattern: $0)) }
        return SimulatedRun.PendingTask(
            name: cast.name(number) + maker,
            site: [resumes, site].lazy.compactMap { CodeAddress.place(ofClosure: $0 ?? 0) }.first,
            state: "\(state) since \(since)")
    }
}
#endif
