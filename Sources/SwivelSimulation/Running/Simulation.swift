// SPDX-License-Identifier: Apache-2.0
internal import CSwivelSimulation
internal import SwivelCore

#if compiler(>=6.3) && compiler(<6.4) && os(Linux)
@_spi(ExperimentalCustomExecutors) internal import _Concurrency

/// Runs seeds, one at a time in the process.
enum Simulation {
    typealias Body = @Sendable () async throws -> Void

    /// A run, and what its body threw.
    struct Result {
        let run: SimulatedRun
        let error: (any Error)?
        let hasCancelled: Bool
    }

    private static let turn = Turn()

    /// Runs the body in a new world.
    static func run(
        seed: UInt64, _ settings: Settings, _ hint: String, _ body: @escaping Body
    ) async throws(SimulationFailure) -> Result {
        if let refusal = SelfTest.refusal { throw refusal }
        if World.isCurrent { throw .unsupported("this is a simulation already") }
        await turn.take()
        let result = await runOnMain(seed, settings, hint, body)
        await turn.give()
        return result
    }

    /// The run is one synchronous stay on the main actor: what other tests have there waits for it,
    /// and their isolation stays true.
    @MainActor private static func runOnMain(
        _ seed: UInt64, _ settings: Settings, _ hint: String, _ body: @escaping Body
    ) -> Result {
        let simulator = Simulator(seed: seed, settings)
        // because the main actor alone touches it, though the body ends on an executor of its own.
        nonisolated(unsafe) var thrown: (any Error)?
        let run = simulator.inWorld(hint) {
            // It inherits the test's task-local values, so that expectations find their test.
            _ = Task(executorPreference: simulator.executor) { @concurrent in
                do { try await body() } catch { thrown = error }
                simulator.isFinished = true
            }
            let end = simulator.run()
            let run = simulator.report(end)
            simulator.end()
            return run
        }
        let remains = simulator.remains
        if !remains.isEmpty { kept.append((simulator.executor, remains)) }
        return Result(run: run, error: thrown, hasCancelled: simulator.hasCancelled)
    }

    /// Tasks that never ended, with their executors: something may still refer to them.
    @MainActor private static var kept: [(WorldExecutor, [UInt])] = []
}

/// Lets one simulation at a time run, in order of arrival.
private actor Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    func give() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}

extension Simulator {
    /// Calls `body` on this thread, which runs the world for that time.
    func inWorld<R>(_ hint: String, _ body: () -> R) -> R {
        let here = swivel_sim_here()
        let hashes = swivel_sim_hashes()
        let wereDeterministic = hashes.pointee.is_deterministic
        hashes.pointee.is_deterministic = true
        let words = strdup("Swivel: the process ends in a simulated run. \(hint)\n")
        here.pointee.last_words = UnsafePointer(words)
        here.pointee.world = address
        here.pointee.executor = unsafeBitCast(
            executor.asUnownedTaskExecutor(), to: (UInt, UInt).self)
        var random = SplitMix64(seed: seed ^ 0xD1CE)
        here.pointee.random = random.next()
        here.pointee.made = { world, task, name, site in
            Unmanaged<Simulator>.fromOpaque(world).takeUnretainedValue()
                .made(task, named: name.map { String(cString: $0) }, site: site)
        }
        showTime()
        defer {
            here.pointee = swivel_sim_thread()
            free(words)
            hashes.pointee.is_deterministic = wereDeterministic
        }
        return Simulated.with(self, body)
    }
}
#endif
