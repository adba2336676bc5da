// SPDX-License-Identifier: Apache-2.0
package import SwivelCore

/// The one door to every blocking wait: it lets a wait through, or says why it could never end.
///
/// A wait that passes never starves what it waits for, by what ``Latch`` does: on a loop's thread it
/// pumps the loop, on the thread of the main queue it runs the main queue, on a worker of the pool it
/// has the worker replaced. What is refused here is a wait for work that only the caller could do.
package enum Waiting {
    /// Blocks until `latch` is open, or until `deadline`.
    ///
    /// Without a deadline it stops the program, where the work that opens the latch is known to need
    /// the queue or the block that waits: it would hang for ever. That is asked before the wait, and
    /// again now and then in a wait that lasts. With a deadline it ends by itself.
    ///
    /// **Thread:** any. In a Swift task it blocks a thread of the cooperative pool, which debug builds
    /// report once for each call site.
    /// - Parameters:
    ///   - latch: What is waited for.
    ///   - deadline: On the clock of the loop that waits; real time elsewhere.
    ///   - target: The context that must run the work that opens the latch, where it is known.
    ///   - needing: Further contexts that must run something before the latch opens, as far as is known
    ///     when this is called.
    ///   - operation: What the program called, for messages.
    ///   - file: Where it called that.
    ///   - line: Where it called that.
    /// - Returns: False at the deadline.
    @available(*, noasync, message: "blocks its thread")
    @discardableResult
    package static func wait(
        for latch: Latch, until deadline: LoopClock.Instant = .never,
        target: (any ExecutionContext)? = nil,
        needing: () -> [any ExecutionContext] = { [] }, operation: StaticString,
        file: StaticString, line: UInt
    ) -> Bool {
        if latch.isOpen {
            return true
        }
        let call = BlockingCall(operation: operation, file: file, line: line)
        call.reportInTask()
        guard deadline == .never else {
            return latch.wait(until: deadline, file: file, line: line)
        }
        func contexts() -> [any ExecutionContext] {
            needing() + (target.map { [$0] } ?? [])
        }
        let known = contexts()
        call.refuseDeadlock(on: known, latch)
        #if DEBUG
        let lasting = LastingWait(call, needing: known)
        defer { lasting.end() }
        #endif
        return latch.wait(file: file, line: line) {
            // What it waits for may have become known only now.
            let known = contexts()
            call.refuseDeadlock(on: known, latch)
            #if DEBUG
            lasting.look(needing: known)
            #endif
        }
    }

    /// Whether a wait on this thread for work of `context` is one for the caller's own end. Checked
    /// before anything else where a call may fail: it throws ``SwivelError/Code/wouldDeadlock``.
    ///
    /// **Thread:** any.
    package static func wouldDeadlock(on context: any ExecutionContext) -> Bool {
        context.isCurrent
    }
}

/// A blocking call of the program, as messages name it.
struct BlockingCall {
    let operation: StaticString
    let file: StaticString
    let line: UInt
}
