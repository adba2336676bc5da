// SPDX-License-Identifier: Apache-2.0
/// The gates that the library is designed to, in the order of the design's table of capabilities. Of
/// shapes with the same limit, the worse one is gated.
enum DesignTable {
    /// Scenario, variant, metric, rival and limit.
    static let rows = """
        allocations | schedule+cancel, capturing | allocations | DispatchSource | = 1
        allocations | schedule+cancel, plain | allocations | DispatchSource | = 0
        allocations | rearm | allocations | DispatchSource | = 0
        allocations | fire | allocations | DispatchSource | = 0
        allocations | tick | allocations | DispatchSource | = 0
        allocations | cancel | allocations | DispatchSource | = 0
        allocations | once, capturing | allocations | DispatchBackend | = 1
        allocations | LoopTimer.arm | allocations | DispatchSource | = 0
        allocations | map, capturing | allocations | Swift Task | <= 2
        allocations | wait | allocations | DispatchQueue | <= 1
        memory | 100k | bytes | DispatchSource | <= 64
        memory | 100k, capturing | bytes | DispatchSource | <= 112
        memory | idle connections | bytes | libuv | <= 24
        memory | deadline entries | bytes | libuv | <= 72
        lateness | idle machine | early | DispatchSource | = 0
        lateness | a loop's first second | early | DispatchSource | = 0
        intervals | 10k, 1 ms leeway | ticks | DispatchSource | = 100
        intervals | 10k, 1 ms leeway | drift | DispatchSource | = 0
        cancelled-timeouts | 1M, on the loop | growth | DispatchSource | < 1
        cancelled-timeouts | 10M, on the loop | growth | DispatchSource | < 1
        cancelled-sleeps | on the loop | left | Task.sleep | < 16
        schedule-cancel | 1k | cpu | NIO | >= 20
        schedule-cancel | 100k | cpu | NIO | >= 500
        schedule-cancel | 100k | cpu | DispatchSource | >= 16
        schedule-cancel | 100k | wall | libuv | >= 1.2
        schedule-cancel | 1M | wall | Swivel at 1k | <= x 1.2
        loop-timer | 100k | wall | libuv | >= 2
        churn | 100k, random | cpu | NIO | >= 60
        churn | 100k, random | cpu | DispatchSource | >= 5
        churn | 100k, random | wall | libuv | >= 0.9
        churn | 100k, first in first out | wall | libuv | >= 0.9
        cross-thread | at once, 2 producers | cpu | DispatchSource | >= 7
        cross-thread | 64 later, 2 producers | cpu | NIO | >= 2.2
        cross-thread | 1,024 later, 2 producers | cpu | DispatchSource | >= 1.8
        cross-thread | 1,024 later, 2 producers | cpu | NIO | >= 2.2
        burst | one instant | wall | libuv | >= 4
        burst | one instant | wall | NIO | >= 12
        burst | late | wall | libuv | >= 4
        burst | late | wall | NIO | >= 12
        spread | exact | cpu | DispatchSource | >= 3
        spread | 1 ms leeway | cpu | DispatchSource | >= 10
        lateness | idle machine | p50 | DispatchSource | <= x 0.5
        lateness | idle machine | p90 | DispatchSource | <= x 1
        lateness | idle machine | p99 | DispatchSource | <= x 1
        lateness | idle machine | p50 | NIO | <= x 0.5
        lateness | 4 busy processes | p50 | DispatchSource | <= x 0.5
        intervals | 10k, 1 ms leeway | core | DispatchSource | <= x 0.35
        debounce | coalescer | cpu | NIO | >= 13
        debounce | coalescer, two callers | cpu | DispatchSource | >= 10
        debounce | coalescer, on a queue | cpu | DispatchSource | >= 10
        debounce | once | cpu | DispatchSource | >= 1.2
        idle-timeout | touch | cpu | NIO | >= 50
        idle-timeout | touch | cpu | DispatchBackend | <= 5
        post | batches of 100 | cpu | DispatchQueue | >= 1.1
        post | batches of 1000 | cpu | DispatchQueue | >= 2.4
        post | flood of a million, 1 producer | cpu | DispatchQueue | >= 1.6
        post | flood of a million, 2 producers | cpu | DispatchQueue | >= 1.3
        post | flood of a million, 1 producer | cpu | NIO | >= 1.3
        post | flood of a million, 2 producers | cpu | NIO | >= 1.1
        round-trip | a processor each | p50 | DispatchQueue | <= x 0.4
        round-trip | a processor each | p99 | DispatchQueue | <= x 1.5
        wait | submit, a processor each, main thread | wall | DispatchQueue | >= 1.5
        wait | submit, a processor each, plain thread | wall | DispatchQueue | >= 1.5
        wait | Async, a processor each, main thread | wall | DispatchQueue | >= 1.5
        wait | operator, a processor each, main thread | wall | DispatchQueue | >= 1.5
        wait | submit, one processor, main thread | wall | DispatchQueue | >= 0.9
        wait | submit, every 50 µs, a processor each, main thread | cpu | execute + semaphore | <= x 1.4
        wait | submit, every 1 ms, a processor each, main thread | wall | execute + semaphore | <= x 1.4
        wait | submit, every 1 ms, a processor each, main thread | cpu | execute + semaphore | <= x 1.4
        wait | submit, every 1 ms, a processor each, plain thread | wall | execute + semaphore | <= x 1.1
        wait | submit, every 1 ms, a processor each, plain thread | cpu | execute + semaphore | <= x 1.1
        pool | 32 that block | wall | DispatchQueue | <= x 1.1
        pool | short behind long | wall | DispatchQueue | <= x 1.1
        watched-event | ping-pong | system calls | epoll | <= 3
        watched-event | ping-pong | cpu | epoll | <= x 1.15
        watched-event | ping-pong | cpu | libuv | <= x 1
        watched-event | 1,000 at once | cpu | epoll | <= x 1.15
        future-chain | 10 maps | cpu | NIO | >= 1.7
        future-chain | 10 maps | cpu | Swift Task | >= 6
        future-chain | 10 maps | cpu | OpenCombine | >= 4
        future-chain | 10 maps, on the loop | cpu | NIO | >= 1.1
        future-chain | 10 maps, on the loop, 50,000 at once | cpu | NIO | >= 0.7
        job | without progress | cpu | Swift Task | >= 1
        actor-hop | actor to actor, same loop | cpu | NIO | >= 1.2
        actor-hop | actor to actor, same loop | cpu | default executor | >= 1.5
        actor-hop | pool to loop | cpu | queue executor | >= 1
        clock-sleep | on the loop | cpu | Task.sleep | >= 2.5
        clock-sleep | from the pool | cpu | Task.sleep | >= 1.3
        idle | after a burst | core | DispatchQueue | < 0.1
        virtual-time | an instant | wall | default executor | <= 50000
        """
}
