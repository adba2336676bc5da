// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Testing

/// The C that Swift inlines, compiled as C.
@Suite struct InlineTests {
    @Test func agreesWithAListOfWhatMustFire() {
        var walk = swivel_inline_walk()
        walk.rounds = 60_000
        walk.seed = announcedSeed("InlineTests")
        if let failure = swivel_inline_walk_run(&walk) {
            Issue.record("\(String(cString: failure))")
        }
        #expect(walk.fired > 100_000 && walk.cancelled > 100_000 && walk.moved > 20_000)
    }
}
