// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelTesting
import XCTest

final class VirtualTimeXCTests: XCTestCase {
    func testAnHourPassesAtOnce() async throws {
        let loop = try Loop.manual()
        let task = Task { try await loop.clock.sleep(for: .seconds(3600)) }

        try await loop.waitForPending(1)
        await loop.advance(by: .seconds(3600))
        try await task.value
        XCTAssertEqual(loop.elapsedTime, .seconds(3600))
        XCTAssert(loop.pending.isEmpty)
    }
}
