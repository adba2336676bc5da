// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore
internal import SwivelFutures

/// The actions that one thread has yet to take for the jobs of a tree. Jobs never call each other:
/// each leaves its next action here, so that trees of any depth need no stack. The list lies on the
/// stack of the call from outside, which returns when nothing is left.
struct JobWorklist: @unchecked Sendable {
    // because only the thread that made it touches the actions.
    private let actions: UnsafeMutablePointer<[@Sendable () -> Void]>
    private let thread = Trampoline.ofThread

    var isOfThisThread: Bool { thread == Trampoline.ofThread }

    /// Has `action` run next, before those that were left earlier.
    func push(_ action: @escaping @Sendable () -> Void) {
        actions.pointee.append(action)
    }

    /// Has `observers` get `event`, in order.
    func push(_ observers: [JobWork.Observer], _ event: JobEvent) {
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

    /// Runs `action` once no callback of a future runs on this thread, so that neither calls nor
    /// releases nest.
    static func afterCallbacks(_ action: @escaping @Sendable () -> Void) {
        Future<Void, Never>(value: ()).onComplete(on: .immediate) { _ in action() }
    }
}
