// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Swivel

/// A queue with Brisk's `qos:` and `flags:` for each submission.
struct QualifiedQueue: ExecutionContext {
    let queue: DispatchQueue
    let qos: DispatchQoS
    /// The flags' bits, because Dispatch did not make its set of them `Sendable`.
    let flags: UInt

    func execute(_ work: @escaping @Sendable () -> Void) {
        queue.async(qos: qos, flags: DispatchWorkItemFlags(rawValue: flags), execute: work)
    }

    var isCurrent: Bool { queue.isCurrent }
}

extension DispatchQueue {
    /// This queue with that class and these flags.
    func context(_ qos: DispatchQoS, _ flags: DispatchWorkItemFlags) -> any ExecutionContext {
        qos == .default && flags.isEmpty
            ? self : QualifiedQueue(queue: self, qos: qos, flags: flags.rawValue)
    }
}

/// A closure that performs a work item, which does nothing if the item was cancelled.
func performing(_ item: DispatchWorkItem) -> @Sendable () -> Void {
    nonisolated(unsafe) let item = item
    // because Dispatch itself takes items from any thread.
    return { item.perform() }
}
