// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Follows the work that manual loops send to other threads, until it has returned: virtual time
/// waits for it. SwivelTesting has one.
package protocol WorkTracker: Sendable {
    /// Returns `work` as tracked work if the calling thread's own work is tracked: it counts from
    /// now until it has run. Work that it sends to other threads is tracked too.
    func track(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void
    /// Runs `resume`, which resumes the task with this address from a closure of a manual loop.
    func resume(_ task: UInt, on loop: Loop, _ resume: () -> Void)
    /// The thread's task is about to sleep on a manual loop.
    func fallAsleep(on loop: Loop)
    /// That sleep is over, or was before it began.
    func awake()
    /// Runs `wait`, which blocks the thread until the latch opens. Its work does not count during
    /// the wait.
    func block(on latch: Latch, _ wait: () -> Bool) -> Bool
    /// The latch opens: the work that it has blocked counts again, before its threads wake.
    func unblock(_ latch: Latch)
}

/// The tracked work that manual loops have in flight on other threads.
package protocol WorkInFlight: AnyObject, Sendable {
    var count: Int { get }
}

/// The one hook for a ``WorkTracker``. Nothing is tracked in a process without virtual time.
package enum Tracking {
    private static let isInstalled = Atomic(false)
    // because it is written once, before the flag.
    nonisolated(unsafe) private static var installed: (any WorkTracker)?

    /// Installs the process's tracker, once.
    package static func install(_ tracker: some WorkTracker) {
        installed = tracker
        isInstalled.store(true, ordering: .releasing)
    }

    @inline(__always)
    static var tracker: (any WorkTracker)? {
        isInstalled.load(ordering: .acquiring) ? installed : nil
    }

    /// A word of the calling thread that is the tracker's.
    package static var word: UInt {
        get { Trampoline.ofThread.pointee.tracked }
        set { Trampoline.ofThread.pointee.tracked = newValue }
    }

    @inline(__always)
    package static func track(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        tracker?.track(work) ?? work
    }

    /// Resumes the task of a continuation from a loop's closure.
    @inline(__always)
    static func resume<Value: Sendable, Failure>(
        _ task: UnsafeContinuation<Value, Failure>, with result: Result<Value, Failure>
    ) {
        resume(unsafeBitCast(task, to: UInt.self)) { task.resume(with: result) }
    }

    /// Runs `resume`, which resumes the task with this address, from a loop's closure.
    @inline(__always)
    static func resume(_ task: UInt, _ resume: () -> Void) {
        guard let tracker, let loop = Loop.current, loop.manual != nil else { return resume() }
        tracker.resume(task, on: loop, resume)
    }

    @inline(__always)
    static func fallAsleep(on loop: Loop) {
        if loop.manual != nil { tracker?.fallAsleep(on: loop) }
    }

    @inline(__always)
    static func awake(on loop: Loop) { if loop.manual != nil { tracker?.awake() } }
}
