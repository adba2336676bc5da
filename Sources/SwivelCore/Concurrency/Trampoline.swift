// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// What the calling thread has promised to run as soon as the closure it is in has returned.
///
/// A callback that completes something adds to the end instead of calling on, so that a chain of any
/// length needs no stack. The list belongs to the thread, not to the frame that works through it: a
/// wait inside a callback goes on with it first, for what it waits for may be there. For the same
/// reason such a wait passes the lane on that the callback runs in.
package struct Trampoline {
    /// What one frame is running.
    package struct Frame {
        /// The entry, an object, whose callback is being run.
        package var entry: UnsafeMutableRawPointer?
        /// The callback.
        package var callback: UnsafeMutableRawPointer?
        /// Whether the frame has a reference of its own on the entry to give up, because a frame below
        /// it may have taken the entry out of the list.
        package var holdsEntry: Bool
        /// Whether the frame's reference on the callback has gone to the list: it is an entry now.
        package var hasGivenCallback: Bool

        /// What is being run now.
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
    /// Does all that the thread has promised. Set by whoever promises something.
    package var run: (@Sendable () -> Void)?
    /// What the innermost frame that works through the list is running.
    package var frame: Frame
    /// Whether a frame is working through the list, and none below it waits.
    package var isRunning: Bool
    /// Whether a frame is releasing what will never run, and what it has still to do.
    package var isEnding: Bool
    package var ending: UnsafeMutableRawPointer?
    /// What has the lane in which the thread runs a callback; the frame that runs it keeps it alive.
    package var lane: UnsafeMutableRawPointer?

    /// The calling thread's own.
    @inline(__always)
    package static var ofThread: UnsafeMutablePointer<Trampoline> {
        // Zeroes are the value of a struct of empty optionals and `false`.
        swivel__thread_cell().assumingMemoryBound(to: Trampoline.self)
    }

    /// Runs `wait`, which blocks the thread or pumps a loop, after all that the thread has promised.
    /// Meanwhile what completes on this thread is run at once.
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
