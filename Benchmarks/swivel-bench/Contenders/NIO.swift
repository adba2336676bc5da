// SPDX-License-Identifier: Apache-2.0

#if NIO
internal import BenchKit
internal import NIOCore
internal import NIOPosix
internal import Rivals

/// An event loop of swift-nio's, in a group of its own.
struct NIOLoop: TickingContender {
    static var name: String { RivalName.nio }
    static var answers: Bool { false }

    let group: MultiThreadedEventLoopGroup
    let loop: any EventLoop

    init() {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
    }

    static func open() -> Self { Self() }

    /// A cancel looks at one armed task after the other.
    static func pairCost(outstanding: Int) -> Int { 1_300 + outstanding * 27 / 10 }

    func close() -> Int {
        try? group.syncShutdownGracefully()
        return 0
    }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { loop.execute(work) }

    @inline(__always)
    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> Scheduled<Void> {
        loop.scheduleTask(in: .nanoseconds(Int64(delay.nanoseconds)), work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> Scheduled<Void> {
        loop.scheduleTask(deadline: .monotonic(deadline), work)
    }

    func every(
        _ interval: Int, startingAfter: Int, leeway: Int,
        _ work: @escaping @Sendable (Int?) -> Void
    ) -> RepeatedTask {
        loop.scheduleRepeatedTask(
            initialDelay: .nanoseconds(Int64(startingAfter)), delay: .nanoseconds(Int64(interval))
        ) { _ in work(nil) }
    }

    func stop(_ repeating: RepeatedTask) -> Bool {
        repeating.cancel()
        return true
    }

    @inline(__always)
    func cancel(_ task: Scheduled<Void>) -> Bool {
        task.cancel()
        return true
    }

    @inline(__always)
    func rearm(
        _ task: inout Scheduled<Void>, after delay: Delay, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        task.cancel()
        task = after(delay, work)
        return true
    }
}

/// The same loop through `scheduleCallback`, which takes a handler instead of a closure and makes
/// no future.
struct NIOCallbacks: TimerContender {
    static var name: String { RivalName.nioCallback }
    static var answers: Bool { false }

    private let loop = NIOLoop()

    static func open() -> Self { Self() }

    static func pairCost(outstanding: Int) -> Int { NIOLoop.pairCost(outstanding: outstanding) }

    func close() -> Int { loop.close() }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) { loop.post(work) }

    @inline(__always)
    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> NIOScheduledCallback {
        callback(.now() + .nanoseconds(Int64(delay.nanoseconds)), work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> NIOScheduledCallback {
        callback(.monotonic(deadline), work)
    }

    @inline(__always)
    func cancel(_ callback: NIOScheduledCallback) -> Bool {
        callback.cancel()
        return true
    }

    @inline(__always)
    func rearm(
        _ callback: inout NIOScheduledCallback, after delay: Delay,
        _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        callback.cancel()
        callback = after(delay, work)
        return true
    }

    @inline(__always)
    private func callback(
        _ deadline: NIODeadline, _ work: consuming @escaping @Sendable () -> Void
    ) -> NIOScheduledCallback {
        do {
            return try loop.loop.scheduleCallback(at: deadline, handler: Handler(work: work))
        } catch {
            fatalError("the event loop is shut down: \(error)")
        }
    }

    private struct Handler: NIOScheduledCallbackHandler, Sendable {
        let work: @Sendable () -> Void

        func handleScheduledCallback(eventLoop: some EventLoop) { work() }
    }
}

extension NIODeadline {
    /// An instant of the clock that the lab reads.
    static func monotonic(_ nanoseconds: UInt64) -> NIODeadline {
        .now() + .nanoseconds(Int64(nanoseconds) - Int64(Clocks.wall()))
    }
}
#endif
