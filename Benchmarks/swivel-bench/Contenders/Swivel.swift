// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals
internal import Swivel
internal import SwivelDispatchBackend

/// A context of Swivel's: a loop, or the same interface on Dispatch. Each conformance forwards to
/// the methods that a caller of that very type would get.
protocol SwivelContext: ExecutionContext, ReplacingContender where Handle == TimerHandle {}

extension SwivelContext {
    @inline(__always)
    func cancel(_ handle: TimerHandle) -> Bool { handle.cancel() == .cancelled }

    @inline(__always)
    func rearm(
        _ handle: inout TimerHandle, after delay: Delay, _: @escaping @Sendable () -> Void
    ) -> Bool {
        handle.rearm(after: delay.duration)
    }
}

extension Tick {
    /// The instant that the timer's grid begins at.
    func grid(_ interval: Int) -> Int { Int(scheduled.nanoseconds) - index * interval }
}

extension Loop: SwivelContext, TickingContender {
    static var name: String { "Swivel" }

    static func open() throws -> Self { try open(on: nil) }

    static func open(on processor: Int?) throws -> Self { try self.init(.init(cpu: processor)) }

    static func pairCost(outstanding: Int) -> Int { 70 }

    /// In its first 10 ms a loop learns the rate of the processor's counter, which is no matter in the
    /// life of a server.
    static var age: UInt64 { 12_000_000 }

    func close() -> Int { shutdown(.cancelPending).cancelled }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { execute(work) }

    @inline(__always)
    func after(_ delay: Delay, _ work: consuming @escaping @Sendable () -> Void) -> TimerHandle {
        schedule(after: delay.duration, work)
    }

    @inline(__always)
    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(
            at: LoopClock.Instant(nanoseconds: deadline), leeway: .nanoseconds(leeway), work)
    }

    func every(
        _ interval: Int, startingAfter: Int, leeway: Int,
        _ work: @escaping @Sendable (Int?) -> Void
    ) -> TimerHandle {
        schedule(
            every: .nanoseconds(interval), startingAfter: .nanoseconds(startingAfter),
            leeway: .nanoseconds(leeway)
        ) { work($0.grid(interval)) }
    }

    @inline(__always)
    func replace(_ id: String, after delay: Delay, _ work: @escaping @Sendable () -> Void) {
        once(id, after: delay.duration, work)
    }
}

extension DispatchBackend: SwivelContext {
    static var name: String { RivalName.backend }

    static func open() throws -> Self { Self(DispatchQueue(label: "rival.backend")) }

    static func pairCost(outstanding: Int) -> Int { 3_000 }

    func close() -> Int { 0 }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { execute(work) }

    @inline(__always)
    func after(_ delay: Delay, _ work: consuming @escaping @Sendable () -> Void) -> TimerHandle {
        schedule(after: delay.duration, work)
    }

    @inline(__always)
    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        schedule(
            at: LoopClock.Instant(nanoseconds: deadline), leeway: .nanoseconds(leeway), work)
    }

    @inline(__always)
    func replace(_ id: String, after delay: Delay, _ work: @escaping @Sendable () -> Void) {
        once(id, after: delay.duration, work)
    }
}
