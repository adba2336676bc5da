// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The bands of a pool's queue: jobs of tasks by their priority, and none waits forever.
@Suite(.offPool) struct WorkerPoolPriorityTests {
    private let probe = Probe()
    private let order = Shared<[String]>()
    private let done = Gate()

    /// The queue is filled while the only worker is busy, the lowest priority first.
    @Test func jobsOfHigherPriorityRunFirst() {
        let priorities: [TaskPriority] = [.background, .utility, .medium, .userInitiated]
        runBehindABusyWorker(count: 4 * 5 + 2) { pool in
            for priority in priorities {
                for number in 0..<5 { accept("\(priority) \(number)", priority.rawValue, pool) }
            }
            // Closures are of the usual priority, and so are tasks without one.
            pool.execute(note("closure"))
            accept("unspecified", 0, pool)
        }
        let jobs = priorities.reversed().map { priority in (0..<5).map { "\(priority) \($0)" } }
        #expect(
            order.value == jobs[0] + jobs[1] + ["closure", "unspecified"] + jobs[2] + jobs[3])
    }

    /// Work waits for 32 of other bands at most. (A loop fills the queue before any of it runs.)
    @Test(arguments: [TaskPriority.utility, .background])
    func aFloodDoesNotStarveAJobOfLowPriority(priority: TaskPriority) {
        let count = 200
        runBehindABusyWorker(count: count + 3) { pool in
            for number in 0..<3 { accept("low \(number)", priority.rawValue, pool) }
            for number in 0..<count {
                accept("high \(number)", TaskPriority.high.rawValue, pool)
            }
        }
        let places = order.value.indices.filter { order.value[$0].hasPrefix("low") }
        #expect(places == [31, 63, 95])
        #expect(order.value.filter { $0.hasPrefix("high") } == (0..<count).map { "high \($0)" })
    }

    /// Floods of two priorities: the job waits for 32 of them in all, or a little longer if another
    /// band's turn has come.
    @Test func twoFloodsDoNotStarveAJobOfLowPriority() {
        runBehindABusyWorker(count: 401) { pool in
            accept("low", TaskPriority.background.rawValue, pool)
            for number in 0..<200 {
                pool.execute(note("closure \(number)"))
                accept("high \(number)", TaskPriority.high.rawValue, pool)
            }
        }
        #expect((1...34).contains(order.value.firstIndex(of: "low") ?? 0))
        #expect(order.value.firstIndex(of: "closure 0") ?? 0 <= 34)
    }

    /// Runs `fill`, which queues `count` pieces of work, while the pool's only worker is busy.
    private func runBehindABusyWorker(count: Int, _ fill: (WorkerPool) -> Void) {
        let pool = WorkerPool(name: "test.pool", threads: 1, maximumThreads: 1)
        let (isBusy, mayEnd) = (Gate(), Gate())
        pool.execute(
            probe.work {
                isBusy.open()
                mayEnd.wait()
            })
        isBusy.wait()
        fill(pool)
        mayEnd.open()
        done.wait(times: count)
    }

    private func note(_ name: String) -> @Sendable () -> Void {
        probe.work { [order, done] in
            order.append(name)
            done.open()
        }
    }

    /// Queues a task's job with this priority.
    private func accept(_ name: String, _ priority: UInt8, _ pool: WorkerPool) {
        pool.accept(JobCatcher.job(of: note(name)), priority: priority)
    }
}

/// Keeps the job with which a task enters an actor.
private final class JobCatcher: SerialExecutor {
    private actor Entry {
        private let catcher: JobCatcher
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            catcher.asUnownedSerialExecutor()
        }

        init(_ catcher: JobCatcher) { self.catcher = catcher }

        func run(_ body: @Sendable () -> Void) { body() }
    }

    private let caught = Shared<UnownedJob?>(nil)
    private let hasCaught = Gate()

    func enqueue(_ job: consuming ExecutorJob) {
        caught.value = UnownedJob(job)
        hasCaught.open()
    }

    /// A job that runs `body`.
    static func job(of body: @escaping @Sendable () -> Void) -> UnownedJob {
        let catcher = JobCatcher()
        let entry = Entry(catcher)
        Task.detached { await entry.run(body) }
        catcher.hasCaught.wait()
        guard let job = catcher.caught.value else { fatalError("no job was caught") }
        return job
    }
}
