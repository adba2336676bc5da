// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A context of Swivel's that takes part: a loop, or the same face on Dispatch. Scenarios are
/// generic over it, so that both run the very same code; each conformance forwards to the methods
/// that a caller of that very type would get.
protocol Contender: ExecutionContext {
    /// The name in the rows.
    static var sideName: String { get }

    /// A fresh one, with a thread or queue of its own.
    static func open() throws -> Self

    /// Ends it, and tells how many closures it had not run by then.
    func close() -> Int

    func after(
        _ delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle

    func at(
        _ deadline: LoopClock.Instant, leeway: Duration,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle

    func every(
        _ interval: Duration, startingAfter: Duration, leeway: Duration,
        _ work: @escaping @Sendable (Tick) -> Void
    ) -> TimerHandle

    func debounce(_ id: String, after delay: Duration, _ work: @escaping @Sendable () -> Void)

    func post(_ work: consuming @escaping @Sendable () -> Void)
}

extension Loop: Contender {
    static var sideName: String { "Swivel" }

    static func open() throws -> Self { try self.init() }

    func close() -> Int { shutdown(.cancelPending).cancelled }

    @inline(__always)
    func after(
        _ delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(after: delay, work)
    }

    @inline(__always)
    func at(
        _ deadline: LoopClock.Instant, leeway: Duration,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(at: deadline, leeway: leeway, work)
    }

    @inline(__always)
    func every(
        _ interval: Duration, startingAfter: Duration, leeway: Duration,
        _ work: @escaping @Sendable (Tick) -> Void
    ) -> TimerHandle {
        schedule(every: interval, startingAfter: startingAfter, leeway: leeway, work)
    }

    @inline(__always)
    func debounce(_ id: String, after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        once(id, after: delay, work)
    }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { execute(work) }
}

extension DispatchBackend: Contender {
    static var sideName: String { RivalName.backend }

    static func open() throws -> Self { Self(DispatchQueue(label: "rival.backend")) }

    func close() -> Int { 0 }

    @inline(__always)
    func after(
        _ delay: Duration, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(after: delay, work)
    }

    @inline(__always)
    func at(
        _ deadline: LoopClock.Instant, leeway: Duration,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(at: deadline, leeway: leeway, work)
    }

    @inline(__always)
    func every(
        _ interval: Duration, startingAfter: Duration, leeway: Duration,
        _ work: @escaping @Sendable (Tick) -> Void
    ) -> TimerHandle {
        schedule(every: interval, startingAfter: startingAfter, leeway: leeway, work)
    }

    @inline(__always)
    func debounce(_ id: String, after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        once(id, after: delay, work)
    }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { execute(work) }
}
