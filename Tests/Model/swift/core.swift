// SPDX-License-Identifier: Apache-2.0
// A stand-in for SwivelCore, for models of the code above it. `Trampoline`, `Lock`, `CallbackWords`
// and the questions about a context's type are the production sources.
import Explorer

/// Where callbacks run.
public protocol ExecutionContext: Sendable {
    /// Has `work` run later.
    func execute(_ work: @escaping @Sendable () -> Void)
}

/// A context that passes its work on to another one. No model has any.
package protocol ContextWrapper: ExecutionContext {
    var wrapped: (any ExecutionContext)? { get }
}

/// A closure as a context. No model has any.
package struct AnyContext: ExecutionContext {
    package var closure: (UInt, UInt) { (0, 0) }

    package func execute(_ work: @escaping @Sendable () -> Void) {}
}

/// Runs closures at once.
public struct ImmediateContext: ExecutionContext {
    package init() {}

    /// Runs `work` before it returns.
    public func execute(_ work: @escaping @Sendable () -> Void) { work() }
}

/// A queue that the model's thread for it works through: see ``next(unless:is:)``.
public class Queue: ExecutionContext, @unchecked Sendable {
    // because the threads of a model share one, and the explorer changes them at its points only.
    private var entries: [@Sendable () -> Void] = []

    package init() {
        // A queue orders nothing of its own memory, which must not move when it grows.
        entries.reserveCapacity(8)
    }

    /// Adds `work` to the queue.
    @inline(never)
    public func execute(_ work: @escaping @Sendable () -> Void) {
        runtime_give(Unmanaged.passUnretained(self).toOpaque())
        entries.append(work)
    }

    /// The oldest entry, for which the calling thread waits; `nil` when `number` is `end`.
    @inline(never)
    package func next(unless number: Shared, is end: Int) -> (@Sendable () -> Void)? {
        wait { !self.entries.isEmpty || number.value == end }
        if entries.isEmpty { return nil }
        runtime_take(Unmanaged.passUnretained(self).toOpaque())
        return entries.removeFirst()
    }
}

/// A loop that no thread of a model runs.
public final class Loop: Queue, @unchecked Sendable {
    // because a queue is.
    package var limitsPosts: Bool { false }
    package var refusal: SwivelError? { nil }
    /// No loop of a model is manual.
    package var manual: Int? { nil }

    /// No thread of a model runs a loop.
    package static var current: Loop? { nil }
    package func acceptHere(_ callback: CallbackWords) -> Bool { false }

    package func accept(_ callback: CallbackWords, isLimited: Bool) -> Bool {
        let box = CallbackBox(callback)
        execute { box.run() }
        return true
    }
}

/// A pool without workers.
public final class WorkerPool: Queue, @unchecked Sendable {
    // because a queue is.
    package func accept(_ callback: CallbackWords) {
        let box = CallbackBox(callback)
        execute { box.run() }
    }

    /// No thread of a model is a worker.
    package static func runs(_: UnsafeMutableRawPointer) -> Bool { false }
}

package struct SwivelError: Error {
    package enum Code: Sendable { case queueFull, abandoned }

    package init(_: Code, _: String) {}
}

/// No model reads reports.
package enum Diagnostics {
    package static func report(
        _: @autoclosure () -> String, file: StaticString, line: UInt, others: String = ""
    ) {}
}

extension Lock {
    /// No model forks.
    package static func ofProcess(_ make: (UnsafePointer<Value>?) -> Value) -> Lock {
        Lock(make(nil))
    }
}

/// Blocks the calling thread of a model until `condition` holds. Others evaluate it too, so it
/// must be of a module that is not checked for races.
package func wait(until condition: @escaping () -> Bool) {
    var condition = condition
    withUnsafeMutablePointer(to: &condition) {
        explorer_wait({ $0?.assumingMemoryBound(to: (() -> Bool).self).pointee() ?? true }, $0)
    }
}

/// A number that threads of a model share, and that orders nothing.
package final class Shared: @unchecked Sendable {
    // because the threads of a model are the explorer's, which changes them at its points only.
    package private(set) var value = 0

    package init() {}

    @inline(never)
    package func add() { value += 1 }

    /// Blocks the calling thread until it is `end`, or until `other` is above zero.
    @inline(never)
    package func wait(until end: Int, unless other: Shared? = nil) {
        SwivelCore.wait { self.value == end || other.map { $0.value > 0 } ?? false }
    }
}
