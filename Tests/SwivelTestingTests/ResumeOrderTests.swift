// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// The order of tasks that are due at one virtual instant.
@Suite struct ResumeOrderTests {
    /// On the loop's task executor they resume in the order in which they fell asleep, every time.
    @Test func tasksOnTheLoopsExecutorResumeInOrder() async throws {
        for _ in 0..<Machine.scaled(100) {
            let loop = try Loop.manual()
            let order = Shared<[Int]>()
            for number in 0..<20 {
                Task(executorPreference: loop.taskExecutor) {
                    try await loop.clock.sleep(for: .seconds(1))
                    order.append(number)
                    try await loop.clock.sleep(for: .seconds(1))
                    order.append(100 + number)
                }
            }
            await loop.advance(by: .seconds(2))
            #expect(order.value == Array(0..<20) + Array(100..<120))
            await loop.shutdown()
        }
    }
}
