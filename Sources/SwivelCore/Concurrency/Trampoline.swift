// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// What the calling thread has promised to run as soon as the closure it is in has returned.
///
/// A callback that completes something adds to the end instead of calling on, so that a chain of any
/// length needs no stack. The list belongs to the thread, not to the frame that works through it: a
/// wait inside a callback goes on with it first, for what it waits for may be there.
package struct Trampoline {
    /// The first and the last entry; what they are is known to `run`.
    package var first: UnsafeMutableRawPointer?
    package var last: UnsafeMutableRawPointer?
    /// Works through the list until it is empty. Set by whoever adds an entry.
    package var run: (@Sendable () -> Void)?
    /// Whether a frame of this thread is working through the list.
    package var isRunning: Bool
    /// Whether a frame of this thread is releasing what will never run, and what it has still to do.
    package var isEnding: Bool
    package var ending: UnsafeMutableRawPointer?

    /// The calling thread's own.
    @inline(__always)
    package static var current: UnsafeMutablePointer<Trampoline> {
        // Zeroes are the value of a struct of empty optionals and `false`.
        swivel_thread_cell().assumingMemoryBound(to: Trampoline.self)
    }

    /// Runs `wait`, which blocks the thread or pumps a loop, after all that the thread has promised.
    /// Meanwhile what completes on this thread is run at once.
    static func whileWaiting<R>(_ wait: () -> R) -> R {
        let trampoline = current
        guard trampoline.pointee.isRunning else {
            return wait()
        }
        trampoline.pointee.isRunning = false
        defer { trampoline.pointee.isRunning = true }
        trampoline.pointee.run?()
        return wait()
    }
}
