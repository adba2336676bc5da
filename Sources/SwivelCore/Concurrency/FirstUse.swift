// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Reads what a process makes once, in a `static let`.
///
/// The runtime locks a `static let` while its value is made. If another thread forks at that point,
/// the child has the lock and not the thread that would open it, and every use of the value hangs.
/// So a reading, which may be the first, and a fork exclude each other. Constants that the compiler
/// lays out statically need none of this.
///
///     static var shared: Table { FirstUse.of(only) }
///     private static let only = Table()
package enum FirstUse {
    /// The value that `read` reads.
    ///
    /// It costs one more store at either end, also once the value exists: a flag that told so would
    /// be a `static let` of its own, which the compiler lays out statically in this module only.
    ///
    /// **Thread:** any. Making the value may take locks and start threads. It must not wait for
    /// anything that another thread does outside Swivel's locks.
    @inline(__always)
    package static func of<Value>(_ read: @autoclosure () -> Value) -> Value {
        swivel__forks_hold()
        defer { swivel__forks_release() }
        return read()
    }
}
