// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// The actions that one thread has yet to take for the jobs of a tree, from a call that comes from
/// outside until nothing is left.
///
/// Jobs never call each other: each leaves its next action here, so that trees of any depth need no
/// stack. The list lies on the stack of the call from outside, and nothing outlasts that.
@usableFromInline
struct JobWorklist: @unchecked Sendable {
    // because only the thread that made it touches the actions.
    private let actions: UnsafeMutablePointer<[@Sendable () -> Void]>

    /// Has `action` run next, before those that were left earlier.
    func push(_ action: @escaping @Sendable () -> Void) {
        actions.pointee.append(action)
    }

    /// Has `observers` get `event`, in order.
    func push(_ observers: [JobFields.Observer], _ event: JobEvent) {
        for observer in observers.reversed() { push { observer(event, self) } }
    }

    /// Runs `first` with `worklist`; `nil`: with a new one, and all that it leads to.
    static func drive(_ worklist: JobWorklist? = nil, _ first: (JobWorklist) -> Void) {
        if let worklist { return first(worklist) }
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
    private var contents: (JobBody?, [JobFields.Observer])?

    private init(_ body: JobBody?, _ observers: [JobFields.Observer]) {
        contents = (body, observers)
    }

    /// Takes them from a job; `nil`: there are none.
    static func taken(from fields: inout JobFields) -> JobLeftovers? {
        if fields.body == nil && fields.observers.isEmpty { return nil }
        defer { (fields.body, fields.observers) = (nil, []) }
        return JobLeftovers(fields.body, fields.observers)
    }

    /// Releases all of it, one job after the other.
    func release() {
        // The thread's trampoline runs what this releases in turn after this has returned.
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { [self] _ in contents = nil }
    }
}
