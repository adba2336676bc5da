// SPDX-License-Identifier: Apache-2.0
internal import BenchKit
internal import Dispatch
internal import Swivel

/// The surplus work of a Swivel that was slowed on purpose, to see `check` and `compare` fail.
enum Slowdown: String, Sendable, CaseIterable {
    /// 200 ns for each timer that is armed.
    case schedule
    /// One more allocation for each timer that is armed.
    case allocation
    /// One more wake-up for each post.
    case wakeUp = "wake-up"
}

/// A loop that is slowed on purpose, under Swivel's name.
struct SlowedLoop: TimerContender {
    static var name: String { Loop.name }

    // `nonisolated(unsafe)` because the command line sets it before anything runs.
    nonisolated(unsafe) static var slowdown: Slowdown?
    // `nonisolated(unsafe)` because it is written and never read: the optimiser has to believe that
    // somebody needs the memory.
    nonisolated(unsafe) private static var sink: UnsafeMutableRawPointer?

    private let loop: Loop

    static func open() throws -> Self { Self(loop: try Loop.open()) }

    static func pairCost(outstanding: Int) -> Int { Loop.pairCost(outstanding: outstanding) }

    static var age: UInt64 { Loop.age }

    func close() -> Int { loop.close() }

    func post(_ work: consuming @escaping @Sendable () -> Void) {
        if Self.slowdown == .wakeUp {
            let awake = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { awake.signal() }
            awake.wait()
        }
        loop.post(work)
    }

    func after(_ delay: Delay, _ work: consuming @escaping @Sendable () -> Void) -> TimerHandle {
        switch Self.slowdown {
        case .schedule:
            let end = Clocks.wall() + 200
            while Clocks.wall() < end {}
        case .allocation:
            Self.sink = .allocate(byteCount: 16, alignment: 8)
            Self.sink?.deallocate()
        case .wakeUp, nil: break
        }
        return loop.after(delay, work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> TimerHandle {
        loop.at(deadline, leeway: leeway, work)
    }

    func cancel(_ handle: TimerHandle) -> Bool { loop.cancel(handle) }

    func rearm(
        _ handle: inout TimerHandle, after delay: Delay, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        loop.rearm(&handle, after: delay, work)
    }
}
