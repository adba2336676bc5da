// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// The actions that one thread has yet to take for the jobs of a tree, from a call that comes from
/// outside until nothing is left.
///
/// Jobs never call each other: each leaves its next action here, so that trees of any depth need no
/// stack.
final class JobWorklist: @unchecked Sendable {
    // because only the thread that made it touches the actions.
    private var actions: [@Sendable () -> Void] = []
    private let thread = UnsafeMutableRawPointer(Trampoline.ofThread)

    /// Whether this is the worklist's own thread.
    var isCurrent: Bool { thread == UnsafeMutableRawPointer(Trampoline.ofThread) }

    /// Has `action` run next, before those that were left earlier.
    func push(_ action: @escaping @Sendable () -> Void) {
        actions.append(action)
    }

    /// Runs `first`, and all that it leads to.
    static func drive(_ first: (JobWorklist) -> Void) {
        let worklist = JobWorklist()
        first(worklist)
        while let action = worklist.actions.popLast() {
            action()
        }
    }
}

/// The former contents of a job that may hold a chain of other jobs.
final class JobLeftovers<Body: Sendable, Observer: Sendable>: @unchecked Sendable {
    // because one thread makes it and another may release it, never both at once.
    private var body: Body?
    private var observers: [Observer]

    init(_ body: inout Body?, _ observers: inout [Observer]) {
        self.body = body
        self.observers = observers
        body = nil
        observers = []
    }

    /// Releases all of it, one job after the other.
    func release() {
        guard body != nil || !observers.isEmpty else { return }
        // The thread's trampoline runs what this releases in turn after this has returned.
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in
            body = nil
            observers = []
        }
    }
}
