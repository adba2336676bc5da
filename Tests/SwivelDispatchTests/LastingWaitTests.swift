// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// Reports of debug builds about waits that last: B2. None of these waits ends. The processes end
/// themselves, when the report is there or after the time in which it should have come.
@Suite(.enabled(if: Machine.isDebug, "release builds say nothing"))
struct LastingWaitTests {
    /// The ring of queues is; a queue that waits for one that is busy is not.
    @Test func serialQueuesThatWaitForEachOtherAreReportedWithAllCallSites() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_FAILURE, seconds: 4)
            let queues = (0..<3).map { DispatchQueue(label: "test.\($0)") }
            let holding = Gate()
            for (index, queue) in queues.enumerated() {
                queue.async {
                    holding.open()
                    holding.wait(times: 3)
                    let next = queues[(index + 1) % 3]
                    let latch = Latch()
                    next.async { latch.signal() }
                    wait(latch, target: next, file: "Ring.swift", line: UInt(index + 1))
                }
            }
            let busy = DispatchQueue(label: "test.busy")
            busy.async { wait(Latch(), target: WorkerPool.shared) }
            DispatchQueue(label: "test.waiting").async { wait(Latch(), target: busy) }
            _ = Latch().wait()
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(output.contains("Ring.swift:1: Swivel: wait(_:) has waited for a second"))
        #expect(output.contains("at Ring.swift:2, Ring.swift:3."))
        #expect(output.components(separatedBy: "has waited for a second").count == 2)
    }

    @Test func aCooperativePoolAllOfWhoseThreadsWaitIsReported() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_FAILURE, seconds: 4)
            let count = ProcessInfo.processInfo.activeProcessorCount
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<count {
                    group.addTask { block(line: UInt(index + 1)) }
                }
            }
        }
        #expect(printed("Pool.swift:1: Swivel: wait(_:) has waited for a second", result))
        #expect(printed("the cooperative pool has no thread left", result))
    }
}

/// Waits forever. A function of its own, because no asynchronous one may wait.
private func block(line: UInt) {
    wait(Latch(), target: WorkerPool.shared, file: "Pool.swift", line: line)
}
