// SPDX-License-Identifier: Apache-2.0
// Closures that an `Async` cannot run are not taken for Swift-Async's expressions.
import Swivel
import SwivelCompat

private struct Fault: Error {}
@Sendable private func load() throws -> Int { throw Fault() }
@Sendable private func later() async -> Int { 3 }

private func closures(_ context: any ExecutionContext) {
    _ = Async { try load() }  // error: ambiguous use of 'init'
    _ = Async { @Sendable in try load() }  // error: ambiguous use of 'init'
    _ = Async<Int> { try load() }  // error: an Async cannot fail
    _ = Async(context) { try load() }  // error: ambiguous use of 'init'
    _ = Async(context) { await later() }  // error: ambiguous use of 'init'
    _ = Async(queue: context) { try load() }  // error: ambiguous use of 'init'
    _ = Async(priority: .utility) { try load() }  // error: ambiguous use of 'init'
    _ = Async(priority: 2) { try load() }  // error: ambiguous use of 'init'
}
