// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Several loops that share the work of a server, one thread each.
///
/// **Thread:** any.
public final class LoopGroup: Sendable {
    /// The loops, in the order in which they were made.
    public let loops: [Loop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops named `name-0`, `name-1`, …
    ///
    /// - Parameters:
    ///   - count: How many; fewer than one throws ``SwivelError/Code/invalidConfiguration``.
    ///   - configuration: How each of them behaves. Its name is the first part of their names.
    /// - Throws: Like ``Loop/init(_:)``; loops that were started before are shut down.
    /// - Complexity: O(count), a thread each.
    public init(
        count: Int, configuration: Loop.Configuration = Loop.Configuration(name: "swivel.loop")
    ) throws(SwivelError) {
        guard count > 0 else {
            throw SwivelError(
                .invalidConfiguration, "a group needs at least one loop, not \(count)")
        }
        var started: [Loop] = []
        for number in 0..<count {
            var configuration = configuration
            configuration.name += "-\(number)"
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

    /// Returns the same loop for equal keys.
    ///
    /// - Parameter key: Its hash selects the loop; another process may select another one.
    /// - Complexity: O(1).
    public func next(for key: some Hashable) -> Loop {
        loops[Int(UInt(bitPattern: key.hashValue) % UInt(loops.count))]
    }

    /// The loop with the fewest pending timers.
    ///
    /// - Complexity: O(n) in the loops.
    public var leastLoaded: Loop {
        var least = loops[0]
        var fewest = Int.max
        for loop in loops {
            let metrics = loop.metrics
            if metrics.pending < fewest {
                (least, fewest) = (loop, metrics.pending)
            }
        }
        return least
    }

    /// Shuts all loops down, one after another; see `Loop.shutdown(_:)`.
    ///
    /// **Thread:** any. Blocks.
    /// - Parameter mode: The fate of closures that have not started.
    /// - Returns: A report for each loop, in the order of ``loops``.
    /// - Complexity: O(n) in the pending closures.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) -> [ShutdownReport] {
        loops.map { $0.shutdown(mode) }
    }

    /// Shuts all loops down, one after another, and suspends the task until then.
    ///
    /// **Thread:** any task.
    /// - Parameter mode: The fate of closures that have not started.
    /// - Returns: A report for each loop, in the order of ``loops``.
    /// - Complexity: O(n) in the pending closures.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) async -> [ShutdownReport] {
        var reports: [ShutdownReport] = []
        for loop in loops {
            reports.append(await loop.shutdown(mode))
        }
        return reports
    }
}
