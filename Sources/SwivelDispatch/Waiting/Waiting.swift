// SPDX-License-Identifier: Apache-2.0
package import SwivelCore

/// The entry of every blocking wait. It refuses a wait that could never end, because only the
/// caller could do the work. A wait that passes never starves that work: ``Latch`` runs the loop or
/// the main queue of its thread, and another worker replaces a waiting worker.
package enum Waiting {
    /// Blocks until `latch` is open, or until `deadline`.
    ///
    /// A wait without a deadline stops the program if the work that opens the latch needs the queue
    /// or the block that waits. It checks after ten milliseconds, or before it pumps a loop, and
    /// from time to time while it lasts. A wait with a deadline ends by itself.
    ///
    /// **Thread:** any. In a Swift task it blocks a thread of the cooperative pool, which debug
    /// builds report once for each call site.
    /// - Parameters:
    ///   - latch: Ends the wait.
    ///   - deadline: An instant on the clock of the loop that waits; of real time elsewhere.
    ///   - target: The context that must run the work that opens the latch, if it is known.
    ///   - needing: Returns further contexts that must run something, as far as is known at the
    ///     call.
    ///   - operation: The call in the program, for messages.
    /// - Returns: False at the deadline.
    /// - Complexity: O(1) without the wait and the contexts.
    @available(*, noasync, message: "blocks its thread")
    @discardableResult
    package static func wait(
        for latch: Latch, until deadline: LoopClock.Instant = .never,
        target: (any ExecutionContext)? = nil,
        needing: () -> [any ExecutionContext] = { [] }, operation: StaticString, file: StaticString,
        line: UInt
    ) -> Bool {
        if latch.isOpen { return true }
        let call = BlockingCall(operation: operation, file: file, line: line)
        call.reportInTask()
        guard deadline == .never else {
            return latch.wait(until: deadline, file: file, line: line, spins: false)
        }
        func contexts() -> [any ExecutionContext] {
            guard let target, target.mayBeHeldUp else { return needing() }
            return needing() + [target]
        }
        #if DEBUG
        var lasting: LastingWait?
        defer { lasting?.end() }
        #endif
        return latch.wait(file: file, line: line, spins: false) { lasts in
            // Again and again: the contexts that it waits for may have become known only now.
            call.refuseDeadlock(on: contexts, latch)
            #if DEBUG
            if lasting == nil { lasting = LastingWait(call, needing: contexts()) }
            if lasts { lasting?.check(needing: contexts()) }
            #endif
        }
    }
}

/// A blocking call of the program, as messages name it.
struct BlockingCall {
    let operation: StaticString
    let file: StaticString
    let line: UInt

    /// The place of the call.
    var site: String { "\(file):\(line)" }

    #if DEBUG
    /// Whether the caller is inside a task that has no executor of its own, and not on a thread of
    /// Swivel's, which another one replaces. In a simulated world other steps are taken during the wait.
    static var isOnCooperativePool: Bool {
        !WorkerPool.isOnWorker && Simulated.world == nil
            && withUnsafeCurrentTask { $0.map { $0.unownedTaskExecutor == nil } ?? false }
    }
    #endif

    /// In debug builds, reports once for each call site that a task blocks a thread which other
    /// tasks need. (In an executor job on a loop, ``Latch/wait(until:)`` stops the program.)
    func reportInTask() {
        #if DEBUG
        guard Self.isOnCooperativePool else { return }
        Diagnostics.report(
            """
            \(operation) blocks its thread inside a Swift task, and the cooperative pool has one \
            thread per processor: use 'await' there
            """, file: file, line: line)
        #endif
    }
}
