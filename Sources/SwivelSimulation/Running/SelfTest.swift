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
        let simulator = Simulator(seed: 0, Search([]))
        // because one thread uses them.
        nonisolated(unsafe) var (isStaying, wasVirtual) = (false, false)
        let isWhole = simulator.inWorld {
            _ = Task.detached {
                async let child = 1
                let start = ContinuousClock.now
                try await Task.sleep(for: .seconds(3600))
                wasVirtual = start.duration(to: .now) == .seconds(3600)
                isStaying = Simulator.here === simulator
                simulator.isFinished = await child == 1
            }
            // It is known, because making it was seen.
            let isKnown = simulator.tasks.map { $0.isQueued && !$0.isEnded } == [true]
            let end = simulator.run()
            simulator.end()
            return isKnown && end == .finished && simulator.tasks.isEmpty
                && simulator.members.map(\.isAsyncLet) == [false, true]
        }
        guard isWhole, isStaying else {
            return .unsupported(
                """
                tasks cannot be followed in this process: the Swift runtime is linked statically, \
                or differs from that of Swift 6.3
                """)
        }
        if !wasVirtual { return .unsupported("the clocks of this process cannot be replaced") }
        swivel_sim_catch_signals()
        return nil
    }()
}
#endif
