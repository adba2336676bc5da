// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Dispatch
internal import Foundation
internal import SwivelCore

extension BlockingCall {
    /// Stops the program if one of the contexts that are needed when `needed` is called cannot run
    /// the work that `latch` needs before the wait ends.
    func refuseDeadlock(on needed: () -> [any ExecutionContext], _ latch: Latch) {
        // The links of a long chain tend to run on one queue: it is checked once.
        var last: DispatchQueue?
        for target in needed() {
            let queue = target as? DispatchQueue
            if queue == nil || queue !== last {
                refuseDeadlock(on: target, of: needed, latch)
            }
            last = queue
        }
    }

    /// Stops the program if `target` cannot run the work that opens `latch` before the wait ends.
    /// Only a certain deadlock counts; a doubtful one passes.
    private func refuseDeadlock(
        on target: any ExecutionContext, of needed: () -> [any ExecutionContext], _ latch: Latch
    ) {
        switch target {
        case is Loop, is WorkerPool:
            return
        case let queue as DispatchQueue:
            // Work for the main queue goes through Swivel's lane.
            if !QueueIdentity.isMain(queue) { refuseDeadlock(in: queue, of: needed, latch) }
        case let context as any DispatchQueueContext where QueueIdentity.isMain(context.queue):
            refuseDeadlock(inMain: "the main queue, through \(type(of: context))")
        case let context as any DispatchQueueContext:
            refuseDeadlock(in: context.queue, of: needed, latch)
        case let operations as OperationQueue where operations === OperationQueue.main:
            refuseDeadlock(inMain: "OperationQueue.main")
        case is MainActorContext:
            refuseDeadlock(inMain: "the main actor")
        case let wrapper as any ContextWrapper:
            if let wrapped = wrapper.wrapped { refuseDeadlock(on: wrapped, of: needed, latch) }
        default:
            // A loop's thread runs its turns, and the main queue's its lane, while they wait.
            if target.isCurrent && Loop.current == nil && Loop.hosting == nil
                && swivel__source_here() == nil
            {
                refuse("\(target)", "it runs one closure at a time, and this one waits")
            }
        }
    }

    /// For work that is submitted to a queue other than the main one.
    private func refuseDeadlock(
        in queue: DispatchQueue, of needed: () -> [any ExecutionContext], _ latch: Latch
    ) {
        guard queue.isCurrent, !QueueProbe.answers(queue, or: latch),
            // The need may have ended while the probe waited.
            needed().contains(where: { Self.queue(behind: $0) === queue })
        else { return }
        refuse(
            "the serial queue '\(queue.label)'", "it runs one block at a time, and this one waits")
    }

    /// Where the work of `context` is submitted in the end, if that is a queue.
    private static func queue(behind context: any ExecutionContext) -> DispatchQueue? {
        switch context {
        case let queue as DispatchQueue: queue
        case let context as any DispatchQueueContext: context.queue
        case let wrapper as any ContextWrapper: wrapper.wrapped.flatMap(queue(behind:))
        default: nil
        }
    }

    /// For work that is submitted to the main queue past Swivel's lane.
    private func refuseDeadlock(inMain name: String) {
        if Self.isInsideMainBlock {
            refuse(
                name,
                "the main queue runs one block at a time, and this one waits; what is posted to "
                    + ".main is run by the wait")
        }
    }

    /// Whether the caller is inside one of the main queue's blocks, which keeps all others waiting.
    ///
    /// The main thread counts as being on the main queue outside of blocks too. Only running the
    /// main queue up to a mark shows the difference: inside a block the mark is not reached.
    ///
    /// **Thread:** any. On the main thread outside of blocks it runs what waits on the main queue.
    /// False in a loop's closures: a wait there pumps the loop.
    private static var isInsideMainBlock: Bool {
        guard Loop.current == nil, let source = swivel__source_here() else { return false }
        let mark = Latch()
        DispatchQueue.main.async { mark.signal() }
        _ = source.pointee.serve(true)
        return !mark.isOpen
    }

    private func refuse(_ place: String, _ reason: String) -> Never {
        trap(
            """
            \(operation) waits forever: what it waits for has to run on \(place), and \(reason). \
            Wait on another context, such as .background, or handle the result in a callback
            """, file: file, line: line)
    }
}

/// Tries whether a queue runs anything while one of its blocks waits.
///
/// The types of Dispatch's objects alone do not stop a program: a block on the queue has to fail to
/// run twice while one on a fresh concurrent queue runs.
enum QueueProbe {
    /// How long a probe waits for its answer: a thousand times as long as usual.
    private static let limit = Duration.milliseconds(250)
    /// How many probes are sent. If controls are unanswered too, the machine is too busy for a
    /// result.
    private static let tries = 8

    /// Whether `queue`, on whose thread this runs, may run anything, or `latch` has opened.
    static func answers(_ queue: DispatchQueue, or latch: Latch) -> Bool {
        var unanswered = 0
        for _ in 0..<tries {
            let (probe, control) = (Latch(), Latch())
            queue.async { probe.signal() }
            let fresh = DispatchQueue(label: "swivel.control", attributes: .concurrent)
            fresh.async { control.signal() }
            if probe.wait(until: .now.advanced(by: limit)) || latch.isOpen { return true }
            unanswered += control.isOpen ? 1 : 0
            if unanswered == 2 { return false }
        }
        return true
    }
}
