// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The gates that the library is designed to, as the design's table of capabilities groups them. Of
/// shapes with the same limit, the worse one is gated.
enum DesignTable {
    /// A gate per line: scenario, variant, metric, rival and limit.
    static var rows: [String] {
        table.split(separator: "\n").flatMap { line in
            let cells = line.components(separatedBy: " | ").map { $0.components(separatedBy: "; ") }
            return cells[1].flatMap { variant in
                cells[2].flatMap { metric in
                    cells[3].map { "\(cells[0][0]) | \(variant) | \(metric) | \($0)" }
                }
            }
        }
    }

    /// Scenario, variants, metrics, and rivals with their limits.
    private static let table = """
        allocations | schedule+cancel, capturing | allocations | DispatchSource = 1
        allocations | schedule+cancel, plain; rearm; fire | allocations | DispatchSource = 0
        allocations | tick; cancel; LoopTimer.arm | allocations | DispatchSource = 0
        allocations | once, capturing | allocations | DispatchBackend = 1
        allocations | map, capturing | allocations | Swift Task <= 2
        allocations | wait | allocations | DispatchQueue <= 1
        memory | 100k | bytes | DispatchSource <= 64
        memory | 100k, capturing | bytes | DispatchSource <= 112
        memory | idle connections | bytes | libuv <= 24
        memory | deadline entries | bytes | libuv <= 72
        lateness | idle machine; a loop's first second | early | DispatchSource = 0
        intervals | 10k, 1 ms leeway | ticks | DispatchSource = 100
        intervals | 10k, 1 ms leeway | drift | DispatchSource = 0
        cancelled-timeouts | 1M, on the loop; 10M, on the loop | growth | DispatchSource < 1
        cancelled-sleeps | on the loop | left | Task.sleep < 16
        schedule-cancel | 1k | cpu | NIO >= 20
        schedule-cancel | 100k | cpu | NIO >= 500; DispatchSource >= 16
        schedule-cancel | 100k | wall | libuv >= 1.2
        schedule-cancel | 1M | wall | Swivel at 1k <= x 1.2
        loop-timer | 100k | wall | libuv >= 2
        churn | 100k, random | cpu | NIO >= 60; DispatchSource >= 5
        churn | 100k, random; 100k, first in first out | wall | libuv >= 0.9
        cross-thread | at once, 2 producers | cpu | DispatchSource >= 7
        cross-thread | 64 later, 2 producers | cpu | NIO >= 2.2
        cross-thread | 1,024 later, 2 producers | cpu | DispatchSource >= 1.8; NIO >= 2.2
        burst | one instant; late | wall | libuv >= 4; NIO >= 12
        spread | exact | cpu | DispatchSource >= 3
        spread | 1 ms leeway | cpu | DispatchSource >= 10
        lateness | idle machine | p50 | DispatchSource <= x 0.5; NIO <= x 0.5
        lateness | idle machine | p90; p99 | DispatchSource <= x 1
        lateness | 4 busy processes | p50 | DispatchSource <= x 0.5
        intervals | 10k, 1 ms leeway | core | DispatchSource <= x 0.35
        debounce | coalescer | cpu | NIO >= 13
        debounce | coalescer, two callers; coalescer, on a queue | cpu | DispatchSource >= 10
        debounce | once | cpu | DispatchSource >= 1.2
        idle-timeout | touch | cpu | NIO >= 50; DispatchBackend <= 5
        post | batches of 100 | cpu | DispatchQueue >= 1.1
        post | batches of 1000 | cpu | DispatchQueue >= 2.4
        post | flood of a million, 1 producer | cpu | DispatchQueue >= 1.6; NIO >= 1.3
        post | flood of a million, 2 producers | cpu | DispatchQueue >= 1.3; NIO >= 1.1
        round-trip | a processor each | p50 | DispatchQueue <= x 0.4
        round-trip | a processor each | p99 | DispatchQueue <= x 1.5
        wait | submit, a processor each, main thread | wall | DispatchQueue >= 1.5
        wait | submit, a processor each, plain thread | wall | DispatchQueue >= 1.5
        wait | Async, a processor each, main thread | wall | DispatchQueue >= 1.5
        wait | operator, a processor each, main thread | wall | DispatchQueue >= 1.5
        wait | submit, one processor, main thread | wall | DispatchQueue >= 0.9
        wait | submit, every 50 µs, a processor each, main thread | cpu | execute + semaphore <= x 1.4
        wait | submit, every 1 ms, a processor each, main thread | wall; cpu | execute + semaphore <= x 1.4
        wait | submit, every 1 ms, a processor each, plain thread | wall; cpu | execute + semaphore <= x 1.1
        pool | 32 that block; short behind long | wall | DispatchQueue <= x 1.1
        watched-event | ping-pong | system calls | epoll <= 3
        watched-event | ping-pong | cpu | epoll <= x 1.15; libuv <= x 1
        watched-event | 1,000 at once | cpu | epoll <= x 1.15
        future-chain | 10 maps | cpu | NIO >= 1.7; Swift Task >= 6; OpenCombine >= 4
        future-chain | 10 maps, on the loop | cpu | NIO >= 1.1
        future-chain | 10 maps, on the loop, 50,000 at once | cpu | NIO >= 0.7
        job | without progress | cpu | Swift Task >= 1
        actor-hop | actor to actor, same loop | cpu | NIO >= 1.2; default executor >= 1.5
        actor-hop | pool to loop | cpu | queue executor >= 1
        clock-sleep | on the loop | cpu | Task.sleep >= 2.5
        clock-sleep | from the pool | cpu | Task.sleep >= 1.3
        idle | after a burst | core | DispatchQueue < 0.1
        virtual-time | an instant | wall | default executor <= 50000
        """
}
