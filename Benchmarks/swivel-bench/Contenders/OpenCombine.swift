// SPDX-License-Identifier: Apache-2.0

#if OpenCombine
internal import BenchKit
internal import Dispatch
internal import OpenCombine
internal import OpenCombineDispatch
internal import Rivals

/// A serial queue as a scheduler of OpenCombine's. Only its repeating form can be cancelled.
struct CombineQueue: TimerContender {
    static var name: String { RivalName.combine }
    static var answers: Bool { false }

    private let queue = DispatchQueue(label: "rival.combine")
    private var scheduler: DispatchQueue.OCombine { queue.ocombine }

    static func open() -> Self { Self() }

    static func pairCost(outstanding: Int) -> Int { 4_000 }

    func close() -> Int { 0 }

    @inline(__always)
    func post(_ work: consuming @escaping @Sendable () -> Void) {
        scheduler.schedule(options: nil, work)
    }

    @inline(__always)
    func after(
        _ delay: Delay, _ work: consuming @escaping @Sendable () -> Void
    ) -> any Cancellable {
        once(scheduler.now.advanced(by: .nanoseconds(delay.nanoseconds)), 0, work)
    }

    func at(
        _ deadline: UInt64, leeway: Int, _ work: consuming @escaping @Sendable () -> Void
    ) -> any Cancellable {
        once(DispatchQueue.OCombine.SchedulerTimeType(.monotonic(deadline)), leeway, work)
    }

    @inline(__always)
    func cancel(_ timer: any Cancellable) -> Bool {
        timer.cancel()
        return true
    }

    @inline(__always)
    func rearm(
        _ timer: inout any Cancellable, after delay: Delay, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        timer.cancel()
        timer = after(delay, work)
        return true
    }

    @inline(__always)
    private func once(
        _ date: DispatchQueue.OCombine.SchedulerTimeType, _ leeway: Int,
        _ work: consuming @escaping @Sendable () -> Void
    ) -> any Cancellable {
        // Its next tick is an hour away: nobody waits for that.
        scheduler.schedule(
            after: date, interval: .seconds(3_600), tolerance: .nanoseconds(leeway), options: nil,
            work)
    }
}

/// A future of OpenCombine's, with maps behind it.
enum CombineFutures {
    static func maps(_ length: Int, chains: Int) throws -> Measurement {
        try ChainSum.measure(length, chains: chains) { chains in
            var total = 0
            for chain in 0..<chains {
                var complete: Future<Int, Never>.Promise?
                var publisher = Future<Int, Never> { complete = $0 }.eraseToAnyPublisher()
                for step in 0..<length {
                    // A chain whose length the compiler does not know has to erase each type.
                    publisher = publisher.map { $0 &+ step }.eraseToAnyPublisher()
                }
                let last = publisher.sink { total &+= $0 }
                complete?(.success(chain))
                last.cancel()
            }
            return total
        }
    }
}
#endif
