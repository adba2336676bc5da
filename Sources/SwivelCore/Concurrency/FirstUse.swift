// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Reads what a process makes once, in a `static let`.
///
/// A `static let` is locked while it is made. In a child that was forked meanwhile by another thread
/// nobody opens that lock any more, and whoever uses the value waits for ever. So a reading, which may
/// be the first, and a fork keep each other out. What the compiler lays out itself needs none of this.
///
///     static var shared: Table { FirstUse.of(only) }
///     private static let only = Table()
package enum FirstUse {
    /// The value that `read` reads.
    ///
    /// It costs a store more at either end, whether the value is there or not: a flag that says so
    /// would be a `static let` of its own, which the compiler lays out in this module only.
    ///
    /// **Thread:** any. The making may take locks and start threads; it must not wait for what another
    /// thread does outside of Swivel's locks.
    @inline(__always)
    package static func of<Value>(_ read: @autoclosure () -> Value) -> Value {
        swivel__forks_keep()
        defer { swivel__forks_let() }
        return read()
    }
}
