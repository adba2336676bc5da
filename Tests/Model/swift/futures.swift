// SPDX-License-Identifier: Apache-2.0
// The state that the threads of a model about futures share, and short forms of the parts of
// SwivelFutures that the models leave out.
internal import SwivelCore

typealias Outcome = Result<Int, Never>

/// The fate of one callback. The thread that runs or ends the callback writes each field.
struct Note {
    var ran = 0
    /// Ended without having run.
    var ended = 0
    var saw = 0
    /// Its place among the callbacks of its future, from 1.
    var turn = 0
}

/// An execution's future, and what became of it.
final class FutureStage {
    /// For each thread a reference, which it gives up by itself.
    let futures = UnsafeMutablePointer<Callback?>.allocate(capacity: 3)
    /// The callback that derives from the future, if the model has one.
    var derived: Callback?
    var queue: Queue?
    /// A queue that no thread serves before the check.
    var stalled: Queue?
    let notes = UnsafeMutablePointer<Note>.allocate(capacity: 4)
    /// Guarded by the future's lane alone.
    var isInLane = false
    var turns = 0
    /// How many callbacks came to their end, and how many threads did.
    let finished = Shared()
    let threadsDone = Shared()

    init(threads: Int) {
        let future = Callback(at: .direct)
        futures.initialize(repeating: nil, count: 3)
        futures.update(repeating: future, count: threads)
        notes.initialize(repeating: Note(), count: 4)
    }

    deinit {
        notes.deallocate()
        futures.deinitialize(count: 3).deallocate()
    }
}

nonisolated(unsafe) private var current: FutureStage?  // because no thread of a model changes it.

/// This execution's.
var stub: FutureStage {
    guard let current else { trap("no execution is under way") }
    return current
}

extension FutureStage {
    static func open(threads: Int = 3) { current = FutureStage(threads: threads) }

    static func close() { current = nil }

    /// Thread `number`'s reference, which is given up behind `body`.
    func use(_ number: Int32, _ body: (Callback) -> Void) {
        if let future = exchange(&futures[Int(number)], with: nil) {
            body(future)
        }
    }

    /// A callback, whose notes are those of `number`.
    func callback(_ number: Int, at context: CallbackContext = .immediate) -> Callback {
        let callback = Callback(at: context)
        callback.pointer.keep(
            Effect<Outcome> { outcome in
                if context.isDirect { noteDirect(number, outcome) } else { note(number, outcome) }
            })
        callback.cell.step = { callback, source in
            let body = callback.take(Effect<Outcome>.self)
            if let source {
                body.run(source.outcome(Outcome.self).pointee)
            } else {
                stub.notes[number].ended += 1
                stub.finished.add()
            }
        }
        return callback
    }

    /// Has thread `number` run what comes to the queue until there are `count` ends of callbacks.
    ///
    /// - Parameter kept: How many it runs before it drops the others.
    func serve(until count: Int, running kept: Int = .max) {
        guard let queue else { return }
        var taken = 0
        while true {
            guard let work = queue.next(unless: finished, is: count) else { return }
            if taken < kept { work() }
            taken += 1
        }
    }
}

/// The closure of a callback in the lane.
private func note(_ number: Int, _ outcome: Outcome) {
    expect(!stub.isInLane, "callbacks do not overlap")
    stub.isInLane = true
    stub.turns += 1
    stub.notes[number].turn = stub.turns
    stub.notes[number].ran += 1
    if case .success(let value) = outcome { stub.notes[number].saw = value }
    stub.isInLane = false
    stub.finished.add()
}

/// The closure of a direct callback, which may run outside the lane.
private func noteDirect(_ number: Int, _ outcome: Outcome) {
    stub.notes[number].ran += 1
    if case .success(let value) = outcome { stub.notes[number].saw = value }
    stub.finished.add()
}

// In the models a callback stands for a future of an `Int`.
extension Callback {
    var isCompleted: Bool { withExtendedLifetime(self) { pointer.isCompleted } }

    func claim() -> Bool {
        withExtendedLifetime(self) { pointer.claim() }
    }

    /// As `Future.onComplete`, unless the callback is a direct one.
    func register(_ callback: Callback) {
        withExtendedLifetime(self) {
            if callback.cell.context.isDirect {
                pointer.register(callback)
            } else {
                pointer.register(callback, needsLane: true)
            }
        }
    }

    func register(removable callback: Callback) {
        withExtendedLifetime(self) { pointer.register(removable: callback) }
    }

    func complete(_ value: Int) {
        withExtendedLifetime(self) { pointer.resolve(Outcome.success(value)) }
    }

    /// As `Future.map`: one more than this one's value, at `context`.
    func mapped(at context: CallbackContext) -> Callback {
        let future = Callback(at: context)
        future.cell.step = { future, source in
            guard let source else { return future.abandon(future.cause) }
            future.resolve(Outcome.success(source.outcome(Outcome.self).pointee.get() + 1))
        }
        withExtendedLifetime(self) { pointer.register(future) }
        return future
    }

    /// As `Future.follow`.
    func follow(_ other: Callback) {
        cell.leaveContext()
        cell.step = { future, source in
            guard future.mayRunStep() else { return }
            guard let source else { return future.abandon(future.cause) }
            future.resolve(source.outcome(Outcome.self).pointee)
        }
        withExtendedLifetime((self, other)) { other.pointer.lead(pointer) }
    }
}

/// Makes everything that is made at its first use, before the threads of a model start.
func warmUp() {
    SourceTrace.run {}
    let (future, callback) = (Callback(at: .direct), Callback(at: .direct))
    callback.cell.step = { _, _ in }
    future.register(removable: callback)
    future.complete(0)
}
