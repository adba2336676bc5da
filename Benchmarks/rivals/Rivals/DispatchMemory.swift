// SPDX-License-Identifier: Apache-2.0

package import BenchKit
internal import Dispatch

/// The memory that hand-written Dispatch timers hold.
package enum DispatchMemory {
    /// Bytes for a source that stands by.
    package static func standing(_ count: Int) throws -> Measurement {
        try MemoryReading.ofTimers(count) {
            let kept = Kept<any DispatchSourceTimer>(count)
            let queue = DispatchQueue(label: "rival.dispatch")
            return MemoryReading.Steps(
                arm: {
                    queue.sync {
                        for index in 0..<count {
                            kept.append(
                                makeSource(
                                    queue, Delays.far.nanoseconds[index & Delays.far.mask]))
                        }
                    }
                    return kept.count
                },
                cancel: {
                    queue.sync {
                        kept.forEach { $0.cancel() }
                        return kept.removeAll()
                    }
                }, run: { work in queue.sync { work() } })
        }
    }

    /// Sources an hour away, cancelled on their queue or from another thread.
    package static func cancelledSources(_ count: Int, onQueue: Bool) throws -> Measurement {
        try MemoryReading.ofTimers(count) {
            let kept = Kept<any DispatchSourceTimer>(count)
            let queue = DispatchQueue(label: "rival.dispatch")
            return MemoryReading.Steps(
                arm: {
                    queue.sync {
                        for _ in 0..<count { kept.append(makeSource(queue, hour)) }
                    }
                    return kept.count
                },
                cancel: {
                    let cancelAll = {
                        kept.forEach { $0.cancel() }
                        return kept.removeAll()
                    }
                    return onQueue ? queue.sync(execute: cancelAll) : cancelAll()
                }, run: { work in queue.sync { work() } })
        }
    }

    /// Work items an hour away, cancelled on their queue or from another thread.
    package static func cancelledItems(_ count: Int, onQueue: Bool) throws -> Measurement {
        try MemoryReading.ofTimers(count) {
            let kept = Kept<DispatchWorkItem>(count)
            let queue = DispatchQueue(label: "rival.dispatch")
            return MemoryReading.Steps(
                arm: {
                    queue.sync {
                        for index in 0..<count {
                            let item = DispatchWorkItem { PlainCount.raise(by: index) }
                            queue.asyncAfter(
                                deadline: .now() + .nanoseconds(hour), execute: item)
                            kept.append(item)
                        }
                    }
                    return kept.count
                },
                cancel: {
                    let cancelAll = {
                        kept.forEach { $0.cancel() }
                        return kept.removeAll()
                    }
                    return onQueue ? queue.sync(execute: cancelAll) : cancelAll()
                }, run: { work in queue.sync { work() } })
        }
    }

    private static let hour = 3_600_000_000_000

    private static func makeSource(
        _ queue: DispatchQueue, _ nanoseconds: Int
    ) -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { PlainCount.raise() }
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds))
        source.activate()
        return source
    }
}
