// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// What one thread has to do for the jobs of a tree, from the moment in which something comes from
/// outside until nothing is left to be done.
///
/// Jobs never call each other: each leaves its next step here. Trees of any depth need no stack.
final class JobFrame: @unchecked Sendable {
    // because only the thread that made it touches the steps.
    private var steps: [@Sendable () -> Void] = []
    private let thread = UnsafeMutableRawPointer(Trampoline.ofThread)

    /// Whether this is the frame's own thread.
    var isCurrent: Bool { thread == UnsafeMutableRawPointer(Trampoline.ofThread) }

    /// Has `step` run as the next one, before those that were left earlier.
    func push(_ step: @escaping @Sendable () -> Void) {
        steps.append(step)
    }

    /// Runs `first`, and all that it leads to.
    static func drive(_ first: (JobFrame) -> Void) {
        let frame = JobFrame()
        first(frame)
        while let step = frame.steps.popLast() {
            step()
        }
    }

    /// Releases what may hold a chain of jobs, one after the other.
    static func release<Leftovers: Sendable>(_ leftovers: Leftovers) {
        // A future's callback is released with its captures in the thread's trampoline, where what it
        // releases in turn comes after it.
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { _ in
            withExtendedLifetime(leftovers) {}
        }
    }
}
