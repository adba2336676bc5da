// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// The work that the calling thread runs as soon as the closure that it is in returns.
///
/// A callback that completes a future adds the callbacks of that future to the end of a list
/// instead of calling them, so a chain of any length needs no stack. The list belongs to the
/// thread, not to the frame that works through it: a wait inside a callback first runs the rest of
/// the list, because the work that it waits for may be there. For the same reason it gives up the
/// lane of its callback.
package struct Trampoline {
    /// The callback that one frame is running.
    package struct Frame {
        package var callback: UnsafeMutableRawPointer?
        /// Whether the frame's reference on the callback has gone to one of the callback's own.
        package var hasGivenCallback: Bool

        @inlinable
        @inline(__always)
        package init(callback: UnsafeMutableRawPointer? = nil) {
            self.callback = callback
            hasGivenCallback = false
        }
    }

    /// The first and the last callback; how they are linked is known to `run`.
    package var first: UnsafeMutableRawPointer?
    package var last: UnsafeMutableRawPointer?
    /// Gives up the lanes that the thread has, and runs the whole list. Set by the code that adds
    /// to the list, or takes a lane.
    package var run: (@Sendable () -> Void)?
    /// The callback that the innermost frame is running.
    package var frame: Frame
    /// Whether a frame is working through the list, and none below it waits.
    package var isRunning: Bool
    /// Whether a frame is releasing callbacks that will never run, and those that it has left.
    package var isEnding: Bool
    /// How many calls of contexts the thread is in, each of which has been given a callback.
    package var handovers: UInt16
    package var ending: UnsafeMutableRawPointer?
    /// The innermost lane in which the thread runs a callback, in the frame that runs it.
    package var lane: UnsafeMutableRawPointer?

    // Other words of the thread.

    /// See ``Thread/currentWorker``.
    var worker: UnsafeMutableRawPointer?
    /// The latch that the thread keeps for its next wait; retained.
    var latch: UnsafeMutableRawPointer?
    /// See ``Tracking/word``.
    var tracked: UInt
    /// See ``Simulated/world``.
    var world: UnsafeMutableRawPointer?

    /// Whether a callback runs or is promised, which the thread has to run before it waits.
    var isBusy: Bool { isRunning || isEnding || lane != nil }

    @inline(__always)
    package static var ofThread: UnsafeMutablePointer<Trampoline> {
        // Zeroed memory is a struct of empty optionals and `false`.
        swivel__thread_cell().assumingMemoryBound(to: Trampoline.self)
    }

    /// Runs the thread's list, and then `wait`, which blocks the thread or pumps a loop. Futures
    /// that complete on this thread during the wait run their callbacks at once.
    static func whileWaiting<R>(_ wait: () -> R) -> R {
        let trampoline = ofThread
        guard trampoline.pointee.isBusy else { return wait() }
        let frame = trampoline.pointee.frame
        let (isRunning, isEnding) = (trampoline.pointee.isRunning, trampoline.pointee.isEnding)
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
