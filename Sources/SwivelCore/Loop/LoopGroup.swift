// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal
internal import Synchronization

/// Several loops that share the work of a server, one thread each.
///
/// **Thread:** any.
public final class LoopGroup: Sendable {
    /// The loops, in the order in which they were made.
    public let loops: [Loop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops named `name-0`, `name-1`, … after the name of the `configuration`,
    /// pinned to the `processors` in turn, or to that of the configuration if `nil`.
    ///
    /// - Throws: Like ``Loop/init(_:)``, and ``SwivelError/Code/invalidConfiguration`` if `count`
    ///   is below one; loops that were started before are shut down.
    /// - Complexity: O(count), a thread each.
    public init(
        count: Int, configuration: Loop.Configuration = Loop.Configuration(name: "swivel.loop"),
        pinnedTo processors: [Int]? = nil
    ) throws(SwivelError) {
        guard count > 0 else {
            throw SwivelError(
                .invalidConfiguration, "a group needs at least one loop, not \(count)")
        }
        var started: [Loop] = []
        for number in 0..<count {
            var configuration = configuration
            configuration.name += "-\(number)"
            if let processors, !processors.isEmpty {
                configuration.cpu = processors[number % processors.count]
            }
            do {
                started.append(try Loop(configuration))
            } catch {
                started.forEach { $0.shutdown() }
                throw error
            }
        }
        loops = started
    }

    /// Returns the loops in turn.
    ///
    /// - Complexity: O(1).
    public func next() -> Loop {
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: number) % UInt(loops.count))]
    }

    /// Returns the same loop for equal keys, by the hash of `key`, which differs between processes.
    ///
    /// - Complexity: O(1).
    public func next(for key: some Hashable) -> Loop {
        loops[Int(UInt(bitPattern: key.hashValue) % UInt(loops.count))]
    }

    /// The loop of the calling thread, so that work stays where its data is: the current loop if it
    /// belongs to the group, else always the same one for a thread.
    ///
    /// - Complexity: O(n) in the loops.
    public var sticky: Loop {
        if let current = Loop.current, loops.contains(where: { $0 === current }) { return current }
        return loops[Int(swivel__thread_number() % UInt64(loops.count))]
    }

    /// The loop with the fewest pending timers.
    ///
    /// - Complexity: O(n) in the loops.
    public var leastLoaded: Loop {
        loops.min { $0.metrics.pending < $1.metrics.pending } ?? loops[0]
    }

    /// Shuts all loops down in this `mode` at the same time; see `Loop.shutdown(_:)`. Called from
    /// one of them, it begins with the others, waits for them, and returns before that one has
    /// closed; it stops waiting once that one is asked to close as well.
    ///
    /// **Thread:** any. Blocks.
    /// - Returns: A report per loop, in the order of ``loops``; ``Swift/Sequence/total`` adds them
    ///   up.
    /// - Complexity: O(n) in the pending closures.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) -> [ShutdownReport] {
        loops.forEach { $0.beginShutdown(mode) }
        // On a loop's thread each wait runs that loop's turns, and ends when it is to close as
        // well: of two loops that shut each other down, neither waits without end.
        loops.filter { !$0.isCurrent }.forEach { $0.shutdown(mode) }
        // A further call gets the report of the first one.
        return loops.map { $0.shutdown(mode) }
    }

    /// Shuts all loops down in this `mode` at the same time, and suspends the task until then.
    ///
    /// **Thread:** any task.
    /// - Returns: A report for each loop, in the order of ``loops``.
    /// - Complexity: O(n) in the pending closures.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) async -> [ShutdownReport] {
        loops.forEach { $0.beginShutdown(mode) }
        // The loop on which the task runs cannot begin without it.
        for loop in loops where loop.isCurrent { _ = await loop.shutdown(mode) }
        var reports: [ShutdownReport] = []
        for loop in loops { reports.append(await loop.shutdown(mode)) }
        return reports
    }
}

extension Sequence<ShutdownReport> {
    /// One report of all: the sums of their counts, complete if each of them is.
    ///
    /// - Complexity: O(n).
    public var total: ShutdownReport { reduce(into: ShutdownReport()) { $0.add($1) } }
}
