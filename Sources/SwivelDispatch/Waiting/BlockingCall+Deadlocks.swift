// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal
internal import Dispatch
internal import Foundation
internal import SwivelCore

extension BlockingCall {
    /// Stops the program where one of `targets` cannot run what `latch` needs to open before the wait
    /// ends.
    func refuseDeadlock(on targets: [any ExecutionContext], _ latch: Latch) {
        // Long chains tend to run on one queue.
        var last: DispatchQueue?
        for target in targets {
            let queue = target as? DispatchQueue
            if queue == nil || queue !== last {
                refuseDeadlock(on: target, latch)
            }
            last = queue
        }
    }

    /// Stops the program where `target` cannot run the work that opens `latch` before the wait ends.
    ///
    /// A certain deadlock only: what is in doubt passes.
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

/// What runs the work that a wait needs, as far as a deadlock goes.
private enum Workplace {
    /// A dispatch queue that is not the main one.
    case queue(DispatchQueue)
    /// The main queue, by another way than Swivel's lane.
    case foreignMain(String)
    /// Something else, serial, that the caller is on.
    case current(String)
    /// Whatever can do the work, as far as is known.
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
