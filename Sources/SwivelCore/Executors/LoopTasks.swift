// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// A loop's side of Swift's tasks: its task executor, and the jobs that outlive the loop.
final class LoopTasks: Sendable {
    private struct State {
        // Weak: it retains the loop.
        weak var executor: LoopTaskExecutor?
    }

    private let state = Lock(State())
    /// Jobs that came after the loop's end, in order.
    let late = PoolLane()
    /// The address of the latest task executor. A task retains the executor that it prefers, so the
    /// address is good while jobs of such tasks exist.
    private let executor = Atomic<UInt>(0)
    /// The address of the actors' executor; 0: it was not needed yet.
    private let actors = Atomic<UInt>(0)

    /// The loop's task executor.
    func executor(of loop: Loop) -> LoopTaskExecutor {
        state.withLock { state in
            if let executor = state.executor { return executor }
            let executor = LoopTaskExecutor.make(loop)
            state.executor = executor
            let address = Unmanaged.passUnretained(executor).toOpaque()
            self.executor.store(UInt(bitPattern: address), ordering: .releasing)
            return executor
        }
    }

    /// The executor of the loop's actors.
    @inline(__always)
    func actorExecutor(of loop: Loop) -> UnownedSerialExecutor {
        var address = actors.load(ordering: .acquiring)
        if _slowPath(address == 0) { address = makeActorExecutor(of: loop) }
        // swift-format-ignore: NeverForceUnwrap
        return Unmanaged<ActorExecutor>.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
            ._withUnsafeGuaranteedRef { $0.asUnownedSerialExecutor() }  // because it is never freed
    }

    @inline(never)
    private func makeActorExecutor(of loop: Loop) -> UInt {
        state.withLock { _ in
            let known = actors.load(ordering: .relaxed)
            if known != 0 { return known }
            let made = UInt(bitPattern: Unmanaged.passRetained(ActorExecutor(loop)).toOpaque())
            actors.store(made, ordering: .releasing)
            return made
        }
    }

    /// Queues a job on the loop; after the loop's end, behind it.
    @inline(__always)
    static func enqueue(_ job: TaskWords, on loop: Loop) {
        TaskSleeps.enqueued(job.job)
        let status = swivel__post_job(loop.record, job.kind.rawValue, UInt64(job.word))
        if status != SWIVEL_OK { loop.tasks.enqueueLate(job, on: loop, Int(status)) }
    }

    /// Runs a job in the name of the loop's executors. A task's job does not run as isolated to the
    /// loop (`runSynchronously(isolatedTo:…)`): every asynchronous call would become a switch.
    @inline(__always)
    func run(_ job: TaskWords, on loop: Loop) {
        loop.manual?.beginStep()
        switch job.kind {
        case .actorJob:
            job.job.runSynchronously(on: actorExecutor(of: loop))
        case .loopJob:
            job.job.runSynchronously(on: UnownedSerialExecutor(ordinary: loop))
        case .mainJob:
            job.job.runSynchronously(on: MainActor.sharedUnownedExecutor)
        case .taskJob:
            guard let address = UnsafeRawPointer(bitPattern: executor.load(ordering: .acquiring))
            else { trap("a task's job before there is a task executor") }
            let executor = Unmanaged<LoopTaskExecutor>.fromOpaque(address)
                ._withUnsafeGuaranteedRef { $0.asUnownedTaskExecutor() }
            job.job.runSynchronously(on: executor)
        case .sleep, .wake, .poolJob:
            trap("no job of a loop: \(job.kind)")
        }
    }
}

extension LoopTasks {
    /// Queues a job that comes when the loop is over: a task is never lost. Such jobs run on the
    /// worker pool, one at a time, after the loop's last closures.
    @inline(never)
    func enqueueLate(_ job: TaskWords, on loop: Loop, _ status: Int) {
        check(
            status == SWIVEL_ESHUTDOWN || status == SWIVEL_EFORKED,
            "out of memory for the jobs that wait on \(loop)")
        // Neither the loop's thread nor the pools exist in a forked child.
        if status == SWIVEL_EFORKED { return }
        late.add { [self] in run(job, on: loop) }
        // Added first: either this sees that the loop is over, or the loop's end finds the job.
        if loop.status.isOver { late.run() }
    }
}
