// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Several loops that share the work of a server, one thread each.
public final class LoopGroup: Sendable {
    /// The loops, in the order in which they were made.
    public let loops: [Loop]
    private let turn = Atomic<Int>(0)

    /// Starts `count` loops named `name-0`, `name-1`, …
    ///
    /// - Throws: As ``Loop/init(_:)``; loops that were started before are shut down.
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

    /// The next loop in turn. **Thread:** any.
    public func next() -> Loop {
        let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: number) % UInt(loops.count))]
    }

    /// The same loop for equal keys. **Thread:** any.
    public func next(for key: some Hashable) -> Loop {
        loops[Int(UInt(bitPattern: key.hashValue) % UInt(loops.count))]
    }

    /// The loop with the fewest pending timers. **Thread:** any.
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

    /// Shuts all loops down, one after another. See `Loop.shutdown(_:)`.
    ///
    /// **Thread:** any. Blocks; which form the compiler takes where, says `Loop.shutdown(_:)`.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) -> [ShutdownReport] {
        loops.map { $0.shutdown(mode) }
    }

    /// As the form that blocks, for tasks: it suspends.
    @discardableResult
    public func shutdown(_ mode: ShutdownMode = .cancelPending) async -> [ShutdownReport] {
        var reports: [ShutdownReport] = []
        for loop in loops {
            reports.append(await loop.shutdown(mode))
        }
        return reports
    }
}
