// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization

/// An event loop that counts what it is given. It has NIO's default for what it does not say.
final class CountingEventLoop: EventLoop {
    private let base: any EventLoop
    private let executedCount = Atomic(0)
    private let scheduledCount = Atomic(0)
    private let waitingCount = Atomic(0)

    init(_ base: any EventLoop) { self.base = base }

    /// Tasks that were to run at once.
    var executed: Int { executedCount.load(ordering: .relaxed) }
    /// Tasks that were to run at an instant.
    var scheduled: Int { scheduledCount.load(ordering: .relaxed) }
    /// Those of them that have neither run nor been cancelled.
    var waiting: Int { waitingCount.load(ordering: .relaxed) }

    var inEventLoop: Bool { base.inEventLoop }

    func execute(_ task: @escaping @Sendable () -> Void) {
        executedCount.add(1, ordering: .relaxed)
        base.execute(task)
    }

    func scheduleTask<T>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        scheduledCount.add(1, ordering: .relaxed)
        waitingCount.add(1, ordering: .relaxed)
        let scheduled = base.scheduleTask(deadline: deadline, task)
        scheduled.futureResult.whenComplete { _ in
            self.waitingCount.subtract(1, ordering: .relaxed)
        }
        return scheduled
    }

    func scheduleTask<T>(
        in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T
    ) -> Scheduled<T> {
        scheduleTask(deadline: .now() + delay, task)
    }

    func preconditionInEventLoop(file: StaticString, line: UInt) {
        base.preconditionInEventLoop(file: file, line: line)
    }

    func preconditionNotInEventLoop(file: StaticString, line: UInt) {
        base.preconditionNotInEventLoop(file: file, line: line)
    }

    func shutdownGracefully(
        queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void
    ) {
        base.shutdownGracefully(queue: queue, callback)
    }
}
