// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The work that the calling thread runs as soon as the closure that it is in returns.
///
/// A callback that completes a future adds it to the end of a list instead of calling into it, so a
/// chain of any length needs no stack. The list belongs to the thread, not to the frame that works
/// through it: a wait inside a callback first goes on with the list, where the work that it waits
/// for may be. For the same reason such a wait passes on the lane in which its callback runs.
package struct Trampoline {
    /// The callback that one frame is running.
    package struct Frame {
        /// The entry, an object, whose callback is being run.
        package var entry: UnsafeMutableRawPointer?
        /// The callback.
        package var callback: UnsafeMutableRawPointer?
        /// Whether the frame has a reference of its own on the entry to give up, because a frame
        /// below it may have taken the entry out of the list.
        package var holdsEntry: Bool
        /// Whether the frame's reference on the callback has gone to the list: it is an entry now.
        package var hasGivenCallback: Bool

        /// A frame that runs `callback` of `entry`.
        @inlinable
        @inline(__always)
        package init(
            entry: UnsafeMutableRawPointer? = nil, callback: UnsafeMutableRawPointer? = nil
        ) {
            self.entry = entry
            self.callback = callback
            holdsEntry = false
            hasGivenCallback = false
        }
    }

    /// The first and the last entry; how they are linked is known to `run`.
    package var first: UnsafeMutableRawPointer?
    package var last: UnsafeMutableRawPointer?
    /// Runs the whole list. Set by the code that adds to it.
    package var run: (@Sendable () -> Void)?
    /// The callback that the innermost frame is running.
    package var frame: Frame
    /// Whether a frame is working through the list, and none below it waits.
    package var isRunning: Bool
    /// Whether a frame is releasing callbacks that will never run, and those that it has left.
    package var isEnding: Bool
    package var ending: UnsafeMutableRawPointer?
    /// The owner of the lane in which the thread runs a callback; the frame that runs it keeps it
    /// alive.
    package var lane: UnsafeMutableRawPointer?

    // Other words of the thread.

    /// The newest of the futures that the thread keeps for new ones, and how many there are: see
    /// `SpareFutures`.
    package var spare: UnsafeMutableRawPointer?
    package var spareCount: Int
    /// The word with the references of an object that has one; 0: not known yet.
    package var soleReference: UInt

    /// See ``Thread/currentPool``.
    var pool: UnsafeMutableRawPointer?
    /// The latch that the thread keeps for its next wait; retained.
    var latch: UnsafeMutableRawPointer?
    /// The address of the ``Errand`` that the thread runs, or a word of ``Errands``. 0: none.
    var errand: UInt

    /// The calling thread's own.
    @inline(__always)
    package static var ofThread: UnsafeMutablePointer<Trampoline> {
        // Zeroed memory is a struct of empty optionals and `false`.
        swivel__thread_cell().assumingMemoryBound(to: Trampoline.self)
    }

    /// Runs the thread's list, and then `wait`, which blocks the thread or pumps a loop. Futures
    /// that complete on this thread during the wait run their callbacks at once.
    static func whileWaiting<R>(_ wait: () -> R) -> R {
        let trampoline = ofThread
        let (isRunning, isEnding) = (trampoline.pointee.isRunning, trampoline.pointee.isEnding)
        guard isRunning || isEnding || trampoline.pointee.lane != nil else {
            return wait()
        }
        var frame = trampoline.pointee.frame
        if let entry = frame.entry, !frame.holdsEntry {
            _ = Unmanaged<AnyObject>.fromOpaque(entry).retain()
            frame.holdsEntry = true
        }
        trampoline.pointee.frame = Frame()
        trampoline.pointee.isRunning = false
        trampoline.pointee.isEnding = false
        defer {
            trampoline.pointee.frame = frame
            trampoline.pointee.isRunning = isRunning
            trampoline.pointee.isEnding = isEnding
        }
        trampoline.pointee.run?()
        return wait()
    }
}
