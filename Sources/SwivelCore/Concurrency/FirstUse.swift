// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Synchronization

/// The first use of what a process makes once, in a `static let`.
///
/// A `static let` is locked while it is made. In a child that was forked meanwhile by another thread,
/// nobody opens that lock any more, and whoever uses the value waits for ever. So its first use and a
/// fork keep each other out. What the compiler lays out itself needs none of this.
///
///     static var shared: Table { firstUse.of(only) }
///     private static let firstUse = FirstUse()
///     private static let only = Table()
package struct FirstUse: ~Copyable, Sendable {
    private let isOver = Atomic(false)

    package init() {}

    /// The value that `read` reads.
    ///
    /// **Thread:** any. The making may take locks and start threads; it must not wait for what another
    /// thread does outside of Swivel's locks.
    @inline(__always)
    package func of<Value>(_ read: @autoclosure () -> Value) -> Value {
        // Whoever sees that it is over still asks the static let, which is what orders memory.
        if isOver.load(ordering: .relaxed) {
            return read()
        }
        swivel__forks_keep()
        defer { swivel__forks_let() }
        let value = read()
        isOver.store(true, ordering: .relaxed)
        return value
    }
}
