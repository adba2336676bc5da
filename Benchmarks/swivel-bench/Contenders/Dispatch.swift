// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Rivals

/// A serial queue, and nothing else.
struct SerialQueue: Contender {
    static var name: String { RivalName.queue }

    let queue = DispatchQueue(label: "rival.queue")

    static func open() -> Self { Self() }

    func close() -> Int { 0 }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// Timer sources written by hand.
struct TimerSources: TickingContender {
    static var name: String { RivalName.source }
    static var answers: Bool { false }

    let queue = DispatchQueue(label: "rival.source")

    static func open() -> Self { Self() }

    static func pairCost(outstanding: Int) -> Int { 3_000 }

    func close() -> Int { 0 }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { queue.async(execute: work) }

    @inline(__always)
    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: work)
        source.schedule(deadline: .now() + .nanoseconds(delay.nanoseconds))
        source.activate()
        return source
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> any DispatchSourceTimer {
        // Without leeway Dispatch adds some of its own, unless the timer is strict.
        let source = DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
        source.setEventHandler(handler: work)
        source.schedule(deadline: .monotonic(deadline), leeway: .nanoseconds(leeway))
        source.activate()
        return source
    }

    func every(
        _ interval: Int, startingAfter: Int, leeway: Int,
        _ work: @escaping @Sendable (Int?) -> Void
    ) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(flags: leeway == 0 ? .strict : [], queue: queue)
        source.setEventHandler { work(nil) }
        source.schedule(
            deadline: .now() + .nanoseconds(startingAfter), repeating: .nanoseconds(interval),
            leeway: .nanoseconds(leeway))
        source.activate()
        return source
    }

    @inline(__always)
    func cancel(_ source: any DispatchSourceTimer) -> Bool {
        source.cancel()
        return true
    }

    @inline(__always)
    func rearm(
        _ source: inout any DispatchSourceTimer, after delay: Delay,
        _: @escaping @Sendable () -> Void
    ) -> Bool {
        source.schedule(deadline: .now() + .nanoseconds(delay.nanoseconds))
        return true
    }
}

extension DispatchTime {
    /// An instant of the clock that the lab reads, whatever Dispatch counts from.
    static func monotonic(_ nanoseconds: UInt64) -> DispatchTime {
        .now() + .nanoseconds(Int(nanoseconds) - Int(Clocks.wall()))
    }
}
