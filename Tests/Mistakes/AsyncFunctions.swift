// SPDX-License-Identifier: Apache-2.0
// Functions and closures that an `Async` cannot run are not taken for its value.
import Swivel

private struct Fault: Error {}
@Sendable private func load() throws -> Int { throw Fault() }
@Sendable private func loadLater() async throws -> Int { throw Fault() }

private func functions() {
    _ = Async(load)  // error: an Async cannot fail
    _ = Async<Int>(loadLater)  // error: an Async cannot fail
    _ = Async(on: .background, load)  // error: invalid conversion from throwing function
}

private func closures() {
    _ = Async { try load() }  // error: ambiguous use of 'init'
    _ = Async { try await loadLater() }  // error: ambiguous use of 'init'
    _ = Async { @Sendable in try load() }  // error: ambiguous use of 'init'
    _ = Async { throw Fault() }  // error: ambiguous use of 'init'
    _ = Async { (number: Int) in number }  // error: ambiguous use of 'init'
    _ = Future<_, Fault> { try load() }  // error: ambiguous use of 'init'
    _ = Async<Int> { try load() }  // error: an Async cannot fail
    _ = Async(.background) { try load() }  // error: invalid conversion from throwing function
    _ = Async(on: .background) { try load() }  // error: invalid conversion from throwing function
}
