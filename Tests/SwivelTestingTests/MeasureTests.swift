// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing
import Foundation

@Suite struct MeasureTests {
    @Test func measure() async throws {
        let n = Int(ProcessInfo.processInfo.environment["D_N"] ?? "20000")!
        do {
            let loop = try Loop.manual()
            loop.schedule(every: .milliseconds(1)) {}
            let t = ContinuousClock.now
            await loop.advance(by: .milliseconds(n))
            print("MEASURE instants in one advance", (ContinuousClock.now - t) / n)
            let t2 = ContinuousClock.now
            for _ in 0..<n { await loop.advance(by: .milliseconds(1)) }
            print("MEASURE one advance an instant", (ContinuousClock.now - t2) / n)
        }
        do {
            let loop = try Loop.manual()
            let polls = Counter()
            let task = Task {
                for _ in 0..<n { try await loop.clock.sleep(for: .milliseconds(1)); polls.add() }
            }
            let t = ContinuousClock.now
            await loop.advance(by: .milliseconds(n))
            print("MEASURE polling task", (ContinuousClock.now - t) / n, polls.value, n)
            task.cancel()
        }
        do {
            let loop = try Loop.manual()
            let ends = Counter()
            for i in 0..<(n / 10) {
                Task {
                    try await loop.clock.sleep(for: .milliseconds(i + 1)); ends.add()
                }
            }
            let t = ContinuousClock.now
            await loop.advance(by: .milliseconds(n / 10))
            print("MEASURE ending tasks", (ContinuousClock.now - t) / (n / 10), ends.value, n / 10)
        }
    }
    @Test func runs() async throws {
        let n = Int(ProcessInfo.processInfo.environment["D_RUNS"] ?? "100")!
        var wrong = 0
        let t = ContinuousClock.now
        for _ in 0..<n {
            let loop = try Loop.manual()
            let polls = Counter()
            let task = Task {
                for _ in 0..<121 { try await loop.clock.sleep(for: .milliseconds(1)); polls.add() }
            }
            await loop.advance(by: .milliseconds(121))
            if polls.value != 121 { wrong += 1 }
            task.cancel()
        }
        print("MEASURE runs", n, "wrong", wrong, ContinuousClock.now - t)
    }
    @Test func side() async throws {
        let n = Int(ProcessInfo.processInfo.environment["D_RUNS"] ?? "100")! / 10
        let wrong = Counter()
        await withTaskGroup { g in
            for _ in 0..<10 {
                g.addTask {
                    for _ in 0..<n {
                        guard let loop = try? Loop.manual() else { return }
                        let polls = Counter()
                        let task = Task {
                            for _ in 0..<121 {
                                try await loop.clock.sleep(for: .milliseconds(1)); polls.add()
                            }
                        }
                        await loop.advance(by: .milliseconds(121))
                        if polls.value != 121 { wrong.add() }
                        task.cancel()
                    }
                }
            }
        }
        print("MEASURE side by side", n * 10, "wrong", wrong.value)
    }
}
