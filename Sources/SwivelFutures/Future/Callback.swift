// SPDX-License-Identifier: Apache-2.0

/// A callback that is no future: nothing derives from it.
///
/// It has the layout of a ``Future``: a cell is its only stored property.
@usableFromInline
final class Callback: @unchecked Sendable {
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
}
