// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// A world in virtual time, of SwivelSimulation: one thread that stands for all threads of the
/// process. Loops that are made on that thread, and closures that it sends to pools and queues,
/// belong to the world. **Thread:** that thread.
package protocol SimulatedWorld: AnyObject, Sendable {
    /// The world's ``Loop/shared`` and ``Loop/main``.
    var sharedLoop: Loop { get }
    var mainLoop: Loop { get }
    /// The first instant of a loop that is made now.
    var now: LoopClock.Instant { get }
    /// A loop was made.
    func add(_ loop: Loop)
    /// Runs `work` later, in a step of its own.
    func run(_ work: @escaping @Sendable () -> Void, on place: SimulatedPlace)
    /// Whether the present step runs there.
    func isCurrent(_ place: SimulatedPlace) -> Bool
    /// Takes steps until the latch opens; false: until `deadline`.
    func wait(
        for latch: Latch, until deadline: LoopClock.Instant, file: StaticString, line: UInt
    ) -> Bool
}

/// Where closures run, in a simulated world.
package enum SimulatedPlace: Hashable, Sendable {
    /// On any of many threads.
    case pool
    /// On the main queue, one at a time, in order.
    case main
    /// On a serial queue, one at a time, in order.
    case serial(ObjectIdentifier)
}

/// The world that the calling thread runs, if any.
package enum Simulated {
    private static let isUsed = Atomic(false)

    /// The object behind a thread's word.
    private final class Reference {
        let world: any SimulatedWorld

        init(_ world: any SimulatedWorld) { self.world = world }
    }

    @inline(__always)
    package static var world: (any SimulatedWorld)? {
        isUsed.load(ordering: .relaxed) ? ofThread : nil
    }

    @inline(never)
    private static var ofThread: (any SimulatedWorld)? {
        Trampoline.ofThread.pointee.world.map {
            Unmanaged<Reference>.fromOpaque($0).takeUnretainedValue().world
        }
    }

    /// Calls `body`, in which the thread runs the world.
    package static func with<R>(_ world: any SimulatedWorld, _ body: () throws -> R) rethrows -> R {
        isUsed.store(true, ordering: .relaxed)
        let reference = Reference(world)
        let thread = Trampoline.ofThread
        let before = thread.pointee.world
        thread.pointee.world = Unmanaged.passUnretained(reference).toOpaque()
        // Loops that callers drive note the time that they read.
        let read = swivel__swap_read(0)
        defer {
            _ = swivel__swap_read(read)
            thread.pointee.world = before
            extendLifetime(reference)
        }
        return try body()
    }

    /// Runs `work` in the thread's world, if there is one.
    @inline(__always)
    package static func takes(
        _ work: @escaping @Sendable () -> Void, on place: @autoclosure () -> SimulatedPlace
    ) -> Bool {
        guard let world else { return false }
        world.run(work, on: place())
        return true
    }
}

/// A pool's closure, callback or job until its step.
final class SimulatedWork: @unchecked Sendable {
    // because the world's thread alone uses it.
    private var work: swivel_work?

    init(_ work: swivel_work) { self.work = work }

    func run() {
        guard var work = work.take() else { return }
        LoopHooks.run(&work)
    }

    deinit { work.map(LoopHooks.release) }
}

extension Loop {
    /// Moves the time of a manual loop that no thread drives, and runs nothing.
    package func setTime(_ instant: LoopClock.Instant) {
        swivel__loop_set_time(record, instant.nanoseconds)
    }

    /// Calls `body` as in a closure of `loop`, or of none.
    package static func with<R>(current loop: Loop?, _ body: () -> R) -> R {
        let before = swivel__swap_current(loop?.record)
        defer { _ = swivel__swap_current(before) }
        return body()
    }

    /// Runs one turn of a manual loop, also inside of one of its closures.
    package func takeTurn() {
        guard isCurrent else {
            _ = run(until: now, turns: 0)
            return
        }
        var questions = 0
        withUnsafeMutablePointer(to: &questions) { questions in
            // The pump asks before it begins, before a turn and after it.
            _ = swivel_loop_pump(
                record,
                { asked in
                    guard let asked = asked?.assumingMemoryBound(to: Int.self) else { return true }
                    asked.pointee += 1
                    return asked.pointee > 2
                }, questions, LoopClock.Instant.never.nanoseconds, 0)
        }
    }
}
