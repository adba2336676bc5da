// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelDispatchBackend
import SwivelTestSupport
import Testing

/// B2: what could never end says so, with the place and the call site. Removing a rule makes its test
/// hang until the process that it starts gives up.
@Suite struct WaitingTrapTests {
    private static func expectTrap(
        _ place: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ result: ExitTest.Result?
    ) {
        #expect(
            printed("wait(_:) waits forever", result), sourceLocation: sourceLocation)
        #expect(printed(place, result), sourceLocation: sourceLocation)
        #expect(
            printed("SwivelDispatchTests/WaitingTrapTests.swift:", result),
            sourceLocation: sourceLocation)
    }

    @Test func aSerialQueueThatWaitsForItself() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_SUCCESS)
            let queue = DispatchQueue(label: "test.serial")
            queue.sync {
                let latch = Latch()
                queue.async { latch.signal() }
                _ = wait(latch, target: queue)
            }
        }
        Self.expectTrap("the serial queue 'test.serial'", result)
    }

    @Test func aQueueThatWaitsForItsTarget() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_SUCCESS)
            let target = DispatchQueue(label: "test.target")
            let queue = DispatchQueue(label: "test.queue", target: target)
            queue.sync {
                let latch = Latch()
                target.async { latch.signal() }
                _ = wait(latch, target: target)
            }
        }
        Self.expectTrap("the serial queue 'test.target'", result)
    }

    /// A loop's closure that holds a queue: turns do not help.
    @Test func aLoopThatHoldsTheQueue() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_SUCCESS)
            let loop = try Loop()
            let queue = DispatchQueue(label: "test.held")
            let never = Latch()
            loop.execute {
                queue.sync {
                    let latch = Latch()
                    queue.async { latch.signal() }
                    _ = wait(latch, target: queue)
                }
            }
            _ = never.wait()
        }
        Self.expectTrap("the serial queue 'test.held'", result)
    }

    @Test func anOperationOfASerialOperationQueue() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_SUCCESS)
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 1
            operations.addOperation { _ = wait(Latch(), target: operations) }
            _ = Latch().wait()
        }
        Self.expectTrap("OperationQueue", result)
    }

    /// In an async program, whose main queue runs on threads of Dispatch.
    @Test func theMainActorInsideAMainQueueBlock() async throws {
        let result = try await #require(processExitsWith: .failure, observing: standardError) {
            giveUpLater(EXIT_SUCCESS)
            await MainActor.run { block(on: MainActorContext()) }
        }
        Self.expectTrap("the main actor", result)
    }

    /// Debug builds say once for each call site that a task blocks a thread of the cooperative pool.
    @Test func aWaitInATaskIsReportedOnce() async throws {
        let result = try await #require(processExitsWith: .success, observing: standardError) {
            giveUpLater(EXIT_FAILURE)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask { block(on: .background, line: 1_001) }
                    group.addTask { block(on: .background, line: 1_002) }
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    block(on: .background, line: 1_003)
                    continuation.resume()
                }
            }
        }
        let output = String(decoding: result.standardErrorContent, as: UTF8.self)
        #if DEBUG
        #expect(output.components(separatedBy: "inside a Swift task").count == 3, "\(output)")
        #expect(output.contains(":1001: Swivel: wait(_:) blocks its thread"))
        #expect(output.contains(":1002: Swivel: wait(_:) blocks its thread"))
        #else
        #expect(!output.contains("inside a Swift task"))
        #endif
    }
}

/// Waits for work of `context`. A function of its own, because no asynchronous one may wait.
private func block(
    on context: any ExecutionContext, file: StaticString = #fileID, line: UInt = #line
) {
    let latch = Latch()
    context.schedule(after: .milliseconds(5)) { latch.signal() }
    wait(latch, target: context, file: file, line: line)
}
