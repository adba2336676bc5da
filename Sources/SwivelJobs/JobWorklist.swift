// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// The actions that one thread has yet to take for the jobs of a tree, from a call that comes from
/// outside until nothing is left.
///
/// Jobs never call each other: each leaves its next action here, so that trees of any depth need no
/// stack. It lies on the stack of the call from outside, and nothing outlasts that.
@usableFromInline
struct JobWorklist: @unchecked Sendable {
    // because only the thread that made it touches the actions.
    private let actions: UnsafeMutablePointer<[@Sendable () -> Void]>

    /// Has `action` run next, before those that were left earlier.
    @usableFromInline
    func push(_ action: @escaping @Sendable () -> Void) {
        actions.pointee.append(action)
    }

    /// Runs `first`, and all that it leads to.
    static func drive(_ first: (JobWorklist) -> Void) {
        var actions: [@Sendable () -> Void] = []
        withUnsafeMutablePointer(to: &actions) { actions in
            first(JobWorklist(actions: actions))
            while let action = actions.pointee.popLast() {
                action()
            }
        }
    }
}

/// The former contents of a job that may hold a chain of other jobs.
final class JobLeftovers: @unchecked Sendable {
    // because one thread makes it and another may release it, never both at once.
    private var body: JobBody?
    private var observers: [JobFields.Observer]

    private init(_ body: JobBody?, _ observers: [JobFields.Observer]) {
        self.body = body
        self.observers = observers
    }

    /// Takes both. `nil`: there is nothing. (An initializer that fails has allocated before.)
    static func taken(
        _ body: inout JobBody?, _ observers: inout [JobFields.Observer]
    ) -> JobLeftovers? {
        if body == nil && observers.isEmpty { return nil }
        defer { (body, observers) = (nil, []) }
        return JobLeftovers(body, observers)
    }

    /// Releases all of it, one job after the other.
    func release() {
        // The thread's trampoline runs what this releases in turn after this has returned.
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in
            body = nil
            observers = []
        }
    }
}
