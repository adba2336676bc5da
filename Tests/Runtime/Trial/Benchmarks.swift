// SPDX-License-Identifier: Apache-2.0

/// What Swift concurrency costs: processor time of the whole process, in nanoseconds per operation.
struct Benchmarks: Sendable {
    private let executor: (any TaskExecutor)?

    init(_ executor: (any TaskExecutor)?) { self.executor = executor }

    /// The first pass of each warms up, and is not printed.
    @Sendable func run() async -> Bool {
        let passes = Task.detached(executorPreference: executor) {
            for prints in [false, true] { await pass(prints) }
        }
        await passes.value
        return true
    }

    private func pass(_ prints: Bool) async {
        let arm = await sleepAndCancel(prints)
        await spread(prints, lead: .seconds(max(1, 4 * arm)))
        await spawn(prints)
        await children(prints)
        await yield(prints)
        await pingPong(prints)
    }

    /// Returns how many seconds of processor time the sleeps took to begin.
    private func sleepAndCancel(_ prints: Bool) async -> Double {
        let (count, begun) = (100_000, Counter())
        var tasks: [Task<Void, Never>] = []
        tasks.reserveCapacity(count)
        let (heap, start) = (Process.heap, Process.processorTime)
        for _ in 0..<count {
            tasks.append(
                Task.detached(executorPreference: executor) {
                    begun.add()
                    try? await Task.sleep(for: .seconds(3_600))
                })
        }
        await begun.reaches(count)
        let armed = Process.processorTime
        let (armedHeap, cancels) = (Process.heap, Process.processorTime)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        let end = Process.processorTime
        tasks.removeAll(keepingCapacity: true)
        guard prints else { return armed - start }
        row("sleep for an hour: spawn and sleep, ns", armed - start, count)
        row("sleep for an hour: cancel and end, ns", end - cancels, count)
        Trial.row("sleep for an hour: bytes each", (armedHeap - heap) / count)
        Trial.row("sleep for an hour: bytes left by each", (Process.heap - heap) / count)
        return armed - start
    }

    /// Sleeps that end 10 µs after one another. They begin `lead` before the first ends.
    private func spread(_ prints: Bool, lead: Duration) async {
        let (count, begun, start) = (100_000, Counter(), Process.processorTime)
        let first = ContinuousClock.now + lead
        let tasks = (0..<count).map { index in
            Task.detached(executorPreference: executor) {
                let deadline = first + .microseconds(10 * index)
                begun.add()
                try? await Task.sleep(until: deadline, clock: .continuous)
                return deadline.duration(to: .now) / .microseconds(1)
            }
        }
        await begun.reaches(count)
        let armed = Process.processorTime
        precondition(ContinuousClock.now < first, "the machine is too busy to arm within \(lead)")
        var lateness: [Double] = []
        for task in tasks { lateness.append(await task.value) }
        let end = Process.processorTime
        lateness.sort()
        precondition(lateness[0] >= 0, "a sleep ended early")
        guard prints else { return }
        row("100,000 sleeps over a second: arm, ns", armed - start, count)
        row("100,000 sleeps over a second: fire, ns", end - armed, count)
        Trial.row("100,000 sleeps over a second: late, p50, µs", lateness[count / 2])
        Trial.row("100,000 sleeps over a second: late, p99, µs", lateness[count * 99 / 100])
    }

    private func spawn(_ prints: Bool) async {
        await measure("spawn and await", 100_000, prints) { count in
            for _ in 0..<count { await Task.detached(executorPreference: executor) {}.value }
        }
    }

    /// Not 100,000 children at once: until Swift 6.4 the end of a child costs time proportional to
    /// their number (swift#71212).
    private func children(_ prints: Bool) async {
        await measure("child of a group of 10,000", 100_000, prints) { count in
            for _ in 0..<count / 10_000 {
                await withTaskGroup { group in
                    for _ in 0..<10_000 { group.addTask {} }
                }
            }
        }
    }

    private func yield(_ prints: Bool) async {
        await measure("yield", 200_000, prints) { count in
            for _ in 0..<count { await Task.yield() }
        }
    }

    private func pingPong(_ prints: Bool) async {
        let (one, other) = (Player(), Player())
        await measure("actor ping-pong", 500_000, prints) { count in
            for _ in 0..<count / 2 {
                await one.hit()
                await other.hit()
            }
        }
    }

    private func measure(
        _ name: String, _ count: Int, _ prints: Bool, _ body: @Sendable (Int) async -> Void
    ) async {
        let start = Process.processorTime
        await body(count)
        let end = Process.processorTime
        if prints { row("\(name), ns", end - start, count) }
    }

    private func row(_ name: String, _ time: Double, _ count: Int) {
        Trial.row(name, time / Double(count) * 1e9)
    }

    private actor Player {
        private var hits = 0

        func hit() { hits += 1 }
    }
}
