// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

/// Foundation's operation queue as a rival.
struct Operations: Contender {
    static var name: String { "OperationQueue" }

    private let queue = OperationQueue()

    static func open() -> Self {
        let rival = Self()
        rival.queue.maxConcurrentOperationCount = 1
        return rival
    }

    func close() -> Int {
        queue.waitUntilAllOperationsAreFinished()
        return queue.operationCount
    }

    func post(_ work: consuming @escaping @Sendable () -> Void) { queue.addOperation(work) }
}

/// The example of CONTRIBUTING.md: a rival in one file, which gets all the work of posts.
struct OperationsRivalTests {
    @Test func aRivalInOneFileDoesTheWorkOfEveryScenarioOfItsKind() throws {
        #expect(try Operations.batches(of: 10, 100).checks == 2)
        #expect(try Operations.roundTrips(2, nil).checks > 0)
    }
}
