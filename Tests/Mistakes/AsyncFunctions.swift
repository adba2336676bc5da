// SPDX-License-Identifier: Apache-2.0
// Functions that an `Async` cannot run are not taken for its value.
import Swivel

private struct Fault: Error {}
@Sendable private func load() throws -> Int { throw Fault() }
@Sendable private func loadLater() async throws -> Int { throw Fault() }

private func throwing() {
    _ = Async(load)  // error: an Async cannot fail
    _ = Async<Int>(loadLater)  // error: an Async cannot fail
}
