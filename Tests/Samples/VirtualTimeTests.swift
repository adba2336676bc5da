// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelTesting
import Testing

@Test func aBurstIsSavedOnce() async throws {
    let loop = try Loop.manual()
    let saves = Timeline(on: loop, step: .seconds(1))
    let save = Coalescer(on: loop, after: .seconds(2)) { saves.mark("S") }

    save.call()
    await loop.advance(by: .seconds(1))
    save.call()
    await loop.advance(by: .seconds(3))  // No real time passes.

    #expect("\(saves)" == "---S-")
    #expect(loop.pending.isEmpty)
}
