// SPDX-License-Identifier: Apache-2.0

/// A callback that is no future: nothing derives from it.
///
/// It has the layout of a ``Future``: a cell is its only stored property.
@usableFromInline
package final class Callback: @unchecked Sendable {
    // because `cell.state` decides who may touch what.
    @usableFromInline @exclusivity(unchecked) var cell: FutureCell

    /// A callback that runs on `context`.
    @usableFromInline
    init(at context: CallbackContext) {
        cell = FutureCell(context)
    }

    deinit {
        pointer.destroyContents()
    }

    /// See ``Future/pointer``.
    @inlinable
    var pointer: FuturePointer {
        FuturePointer(Unmanaged<AnyObject>.passUnretained(self))
    }

    /// Removes the callback, which is registered as a removable one: it does not run, unless it has
    /// begun to, and keeps nothing. Its step is called with itself as the source then.
    ///
    /// **Thread:** any. Before the registration, and a second time, it does nothing.
    package func remove() {
        if pointer.unregister() { cell.step?(pointer, pointer) }
        extendLifetime(self)
    }
}
