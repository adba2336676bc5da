// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// A context of a kind, and the means to keep it from starting anything.
final class TestPlace: @unchecked Sendable {
    // because one test at a time uses it, and what it holds is Sendable.
    enum Kind: CaseIterable {
        case immediate, loop, manualLoop, serialQueue, concurrentQueue, mainQueue, suspendedQueue
        case operationQueue, pool, anyContext, closureContext, userStruct, inheritingTaskLocals
        case loopThatIsGone, dropping
    }

    let kind: Kind
    let context: any ExecutionContext
    private let free = Gate()
    private let queue: DispatchQueue?
    private let operations: OperationQueue?
    private let loop: Loop?
    private var helper: TestThread?

    init(_ kind: Kind) throws {
        self.kind = kind
        let queue =
            kind == .concurrentQueue
            ? DispatchQueue(label: "test.concurrent", attributes: .concurrent)
            : DispatchQueue(label: "test.serial")
        var (loop, operations) = (Loop?.none, OperationQueue?.none)
        switch kind {
        case .immediate: context = .immediate
        case .loop, .loopThatIsGone:
            let new = try Loop()
            (loop, context) = (new, new)
        case .manualLoop:
            let new = try SwivelTestSupport.manualLoop()
            (loop, context) = (new, new)
        case .serialQueue, .concurrentQueue, .suspendedQueue: context = queue
        case .mainQueue: context = DispatchQueue.main
        case .operationQueue:
            let new = OperationQueue()
            (operations, context) = (new, new)
        case .pool: context = .background
        case .anyContext: context = AnyContext(queue)
        case .closureContext: context = AnyContext { work in queue.async { work() } }
        case .userStruct: context = OwnContext(queue: queue)
        case .inheritingTaskLocals: context = queue.inheritingTaskLocals
        case .dropping: context = SwivelFuturesTests.dropping
        }
        self.queue = queue
        self.loop = loop
        self.operations = operations
    }

    /// Keeps the context from starting anything, and completes `promise`. Callbacks that are registered
    /// on it start after ``release()``, if ever.
    func hold(_ promise: Promise<Int, any Error>) {
        let free = free
        switch kind {
        case .immediate:
            // The thread that completes is in a callback of another future.
            let (outer, begun) = (Promise<Int, Never>(), Gate())
            outer.future.onComplete(on: .immediate) { _ in
                promise.succeed(1)
                begun.open()
                free.wait()
            }
            helper = TestThread { outer.succeed(1) }
            begun.wait()
            return
        case .loop:
            block { loop?.execute($0) }
        case .loopThatIsGone: loop?.shutdown()
        case .mainQueue: block { DispatchQueue.main.async(execute: $0) }
        case .operationQueue: operations?.isSuspended = true
        case .pool, .manualLoop, .dropping: break
        default: queue?.suspend()
        }
        promise.succeed(1)
    }

    private func block(_ execute: (@escaping @Sendable () -> Void) -> Void) {
        let (begun, free) = (Gate(), free)
        execute {
            begun.open()
            free.wait()
        }
        begun.wait()
    }

    /// Ends `hold`.
    func release() {
        free.open()
        switch kind {
        case .operationQueue: operations?.isSuspended = false
        case .immediate: helper?.join()
        case .loop, .mainQueue, .pool, .manualLoop, .loopThatIsGone, .dropping: break
        default: queue?.resume()
        }
    }

    /// Waits for `gate`, and runs the context until then if no other thread does.
    func wait(for gate: Gate, times: Int = 1) -> Bool {
        guard kind == .manualLoop, let loop else { return gate.isOpened(times: times, seconds: 60) }
        return eventually {
            loop.runDue()
            return gate.opened >= times
        }
    }

    /// Whether work that is given to it now runs sooner or later.
    var runs: Bool { kind != .loopThatIsGone && kind != .dropping }

    /// The loop ends; what it has is released.
    func close() { loop?.shutdown() }
}

/// A user's own type.
private struct OwnContext: ExecutionContext {
    let queue: DispatchQueue

    func execute(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    var isCurrent: Bool { queue.isCurrent }
}
