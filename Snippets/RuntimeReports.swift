// SPDX-License-Identifier: Apache-2.0
import SwivelRuntime

let metrics = SwivelRuntime.metrics
print(metrics.sleepsPending, metrics.cancelledEarly, metrics.queueDelay.quantile(0.99))

// "refresh" sleeps for 1.5 seconds
for task in SwivelRuntime.sleeping(limit: 10) { print(task) }

// swivel.pool is blocked by a closure at Server+0x1a2b for 0.1 seconds
try SwivelRuntime.watchdog(after: .milliseconds(100)) { stall in print(stall) }
