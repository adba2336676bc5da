// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Foundation
internal import Rivals

/// Timers of Foundation's on the run loop of a thread of their own.
final class FoundationTimers: TimerContender, @unchecked Sendable {
    // `@unchecked` because `loop` is written before `init` returns, and the thread alone changes
    // `isOpen`.
    static var name: String { RivalName.foundation }
    static var answers: Bool { false }
    static var takesThreads: Bool { false }

    private var loop = RunLoop.current
    private var isOpen = true
    private let ended = DispatchSemaphore(value: 0)

    private init() {
        let started = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            loop = .current
            // A run loop without a timer does not sleep.
            let keeper = timer(.distantFuture) {}
            started.signal()
            while isOpen {
                _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
            }
            keeper.invalidate()
            ended.signal()
        }
        started.wait()
    }

    static func open() -> FoundationTimers { FoundationTimers() }

    /// The timers of a run loop are a sorted array.
    static func pairCost(outstanding: Int) -> Int { 4_000 + 4 * outstanding }

    static var most: Int { 10_000 }

    func close() -> Int {
        post { self.isOpen = false }
        ended.wait()
        return 0
    }

    /// On Linux `perform` wakes no run loop, but a timer that is due does.
    func post(_ work: consuming @escaping @Sendable () -> Void) {
        _ = timer(Date(timeIntervalSinceNow: 0), work)
    }

    @inline(__always)
    func after(_ delay: Delay, _ work: consuming @escaping @Sendable () -> Void) -> Timer {
        timer(Date(timeIntervalSinceNow: Double(delay.nanoseconds) / 1e9), work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> Timer {
        let delay = Int(deadline) - Int(Clocks.wall())
        return timer(Date(timeIntervalSinceNow: Double(delay) / 1e9), work)
    }

    @inline(__always)
    func cancel(_ timer: Timer) -> Bool {
        timer.invalidate()
        return true
    }

    @inline(__always)
    func rearm(
        _ timer: inout Timer, after delay: Delay, _: @escaping @Sendable () -> Void
    ) -> Bool {
        timer.fireDate = Date(timeIntervalSinceNow: Double(delay.nanoseconds) / 1e9)
        return true
    }

    @inline(__always)
    private func timer(
        _ date: Date, _ work: consuming @escaping @Sendable () -> Void
    ) -> Timer {
        let timer = Timer(fire: date, interval: 0, repeats: false) { [work] _ in work() }
        loop.add(timer, forMode: .default)
        return timer
    }
}
