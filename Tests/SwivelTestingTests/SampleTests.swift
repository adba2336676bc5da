// SPDX-License-Identifier: Apache-2.0
// The first test of the page "Getting started".
import Swivel
import SwivelTesting
import Testing

/// Takes a change, and saves two seconds after the last one.
private actor Saver {
    private(set) var saves = 0
    private let loop: Loop
    private var pending: Task<Void, any Error>?

    init(on loop: Loop) {
        self.loop = loop
    }

    func change() {
        pending?.cancel()
        pending = Task {
            try await loop.clock.sleep(for: .seconds(2))
            saves += 1
        }
    }
}

@Suite struct SampleTests {
    @Test func aBurstOfChangesIsSavedOnce() async throws {
        let loop = try Loop.manual()
        let saver = Saver(on: loop)
        for _ in 1...3 {
            await saver.change()
            await loop.advance(by: .seconds(1))
        }
        #expect(await saver.saves == 0)

        await loop.advance(by: .seconds(1))
        #expect(await saver.saves == 1)
        #expect(loop.pending.isEmpty)
    }
}
