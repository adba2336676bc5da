// SPDX-License-Identifier: Apache-2.0
// A stand-in for SwivelCore, for models of the code above it. `Trampoline`, `Lock` and
// `CallbackWords` are the production sources.
import Explorer

/// Where callbacks run.
public protocol ExecutionContext: Sendable {
    /// Has `work` run later.
    func execute(_ work: @escaping @Sendable () -> Void)
    /// How to get there.
    var route: ContextRoute { get }
}

extension ExecutionContext {
    /// By a call.
    public var route: ContextRoute { .execute }
}

/// The way to a context.
public struct ContextRoute: Sendable {
    package let word: UInt
    package static let immediate = ContextRoute(word: 0)
    /// Through ``ExecutionContext/execute(_:)``.
    public static let execute = ContextRoute(word: 1)
    package static let poolBit: UInt = 4
}

/// A queue that the model's thread for it works through: see ``next(unless:is:)``.
package class Queue: ExecutionContext, @unchecked Sendable {
    // because the threads of a model share one, and the explorer changes them at its points only.
    private var entries: [@Sendable () -> Void] = []

    package init() {}

    @inline(never)
    package func execute(_ work: @escaping @Sendable () -> Void) {
        runtime_give(Unmanaged.passUnretained(self).toOpaque())
        entries.append(work)
    }

    package var route: ContextRoute { .execute }

    /// The oldest entry, for which the calling thread waits; `nil` when `number` is `end`.
    @inline(never)
    package func next(unless number: Shared, is end: Int) -> (@Sendable () -> Void)? {
        wait { !self.entries.isEmpty || number.value == end }
        if entries.isEmpty { return nil }
        runtime_take(Unmanaged.passUnretained(self).toOpaque())
        return entries.removeFirst()
    }
}

package final class Loop: Queue, @unchecked Sendable {
    // because a queue is.
    package var limitsPosts: Bool { false }
    package var refusal: SwivelError? { nil }

    package override var route: ContextRoute {
        ContextRoute(word: UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
    }

    /// No thread of a model runs a loop.
    package static var current: Loop? { nil }
    package func acceptHere(_ callback: CallbackWords) -> Bool { false }

    package func accept(_ callback: CallbackWords, isLimited: Bool) -> Bool {
        let box = CallbackBox(callback)
        execute { box.run() }
        return true
    }
}

package final class WorkerPool: Queue, @unchecked Sendable {
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

/// A value that is made before the threads of a model start.
package enum FirstUse {
    package static func of<Value>(_ read: @autoclosure () -> Value) -> Value { read() }
}

/// Blocks the calling thread of a model until `condition` holds. Others evaluate it meanwhile, so it
/// must be of a module that is not looked at for races.
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
    package func add() {
        value += 1
    }

    /// Blocks the calling thread until it is `end`, or until `other` is above zero.
    @inline(never)
    package func wait(until end: Int, unless other: Shared? = nil) {
        SwivelCore.wait { self.value == end || other.map { $0.value > 0 } ?? false }
    }
}
