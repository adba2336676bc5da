// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Dispatch
internal import Foundation
internal import SwivelCore

extension BlockingCall {
    /// Stops the program if one of `targets` cannot run the work that `latch` needs before the wait
    /// ends.
    func refuseDeadlock(on targets: [any ExecutionContext], _ latch: Latch) {
        // The links of a long chain tend to run on one queue: it is checked once.
        var last: DispatchQueue?
        for target in targets {
            let queue = target as? DispatchQueue
            if queue == nil || queue !== last {
                refuseDeadlock(on: target, latch)
            }
            last = queue
        }
    }

    /// Stops the program if `target` cannot run the work that opens `latch` before the wait ends.
    /// Only a certain deadlock counts; a doubtful one passes.
    private func refuseDeadlock(on target: any ExecutionContext, _ latch: Latch) {
        switch Workplace(target) {
        case .queue(let queue):
            if queue.isCurrent && !QueueProbe.answers(queue, or: latch) {
                refuse(
                    "the serial queue '\(queue.label)'",
                    "it runs one block at a time, and this one waits")
            }
        case .foreignMain(let name):
            if MainQueue.isInsideBlock {
                refuse(
                    name,
                    "the main queue runs one block at a time, and this one waits; what is posted to "
                        + ".main is run by the wait")
            }
        case .current(let name):
            // A loop's thread runs its turns, and the main queue's its lane, while they wait.
            if Loop.current == nil && Loop.hosting == nil && !swivel__guest_is_here() {
                refuse(name, "it runs one closure at a time, and this one waits")
            }
        case .free:
            return
        }
    }

    private func refuse(_ place: String, _ reason: String) -> Never {
        trap(
            """
            \(operation) waits for ever: what it waits for has to run on \(place), and \(reason). \
            Wait on another context, such as .background, or handle the result in a callback
            """, file: file, line: line)
    }
}

/// Where the work that a wait needs runs, as far as deadlocks are concerned.
private enum Workplace {
    /// A dispatch queue that is not the main one.
    case queue(DispatchQueue)
    /// The main queue, without Swivel's lane.
    case foreignMain(String)
    /// Another serial context that the caller is on.
    case current(String)
    /// A context that can do the work, as far as is known.
    case free

    init(_ target: any ExecutionContext) {
        switch target {
        case is Loop, is WorkerPool:
            self = .free
        case let queue as DispatchQueue:
            self = QueueIdentity.isMain(queue) ? .free : .queue(queue)
        case let context as any DispatchQueueContext where QueueIdentity.isMain(context.queue):
            self = .foreignMain("the main queue, through \(type(of: context))")
        case let context as any DispatchQueueContext:
            self = .queue(context.queue)
        case let operations as OperationQueue where operations === OperationQueue.main:
            self = .foreignMain("OperationQueue.main")
        case is MainActorContext:
            self = .foreignMain("the main actor")
        case let wrapper as any ContextWrapper:
            self = wrapper.wrapped.map { Workplace($0) } ?? .free
        default:
            self = target.isCurrent ? .current("\(target)") : .free
        }
    }
}
