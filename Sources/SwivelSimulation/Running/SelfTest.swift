// SPDX-License-Identifier: Apache-2.0
#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
internal import CSwivelSimulation
internal import SwivelCore
internal import Synchronization

/// Whether this process has what a world needs; found out once, by a task that runs in one.
enum SelfTest {
    static let refusal: SimulationFailure? = {
        guard MainRouter.isInstalled.load(ordering: .acquiring) else {
            return .unsupported("SWIVEL_SIMULATION is off")
        }
        guard WakeJob.isSupported else {
            return .unsupported("this Swift runtime differs from that of Swift 6.3")
        }
        let refusal = Probe().refusal
        if refusal == nil { swivel_sim_catch_signals() }
        return refusal
    }()
}

/// A small world.
private final class Probe: @unchecked Sendable {
    // because one thread uses it.
    private var isStaying = false
    private var wasVirtual = false
    private var state: [Bool] = []

    var refusal: SimulationFailure? {
        let simulator = Simulator(seed: 0, Search([]))
        let end = simulator.inWorld {
            let task = Task.detached { [self] in
                let start = ContinuousClock.now
                try await Task.sleep(for: .seconds(3600))
                wasVirtual = start.duration(to: .now) == .seconds(3600)
                isStaying = Simulator.here === simulator
                simulator.isFinished = true
            }
            _ = task
            // It is known, because making it was seen.
            let addresses = simulator.cast.tasks.compactMap { simulator.cast[$0].pointee.task }
            state = addresses.map { TaskState($0).isQueued && !TaskState($0).isEnded }
            let end = simulator.run()
            simulator.end()
            return end
        }
        let isWhole = state == [true] && simulator.cast.tasks.isEmpty
        guard end == .finished, isStaying, isWhole else {
            return .unsupported(
                """
                tasks cannot be followed in this process: the Swift runtime is linked statically, \
                or differs from that of Swift 6.3
                """)
        }
        return wasVirtual ? nil : .unsupported("the clocks of this process cannot be replaced")
    }
}
#endif
