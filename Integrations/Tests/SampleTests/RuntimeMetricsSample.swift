// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelMetrics
import SwivelRuntime

// After `SwivelRuntime.install`. The watchdog counts what keeps a thread for a second.
func publishRuntime() throws -> (reports: TimerHandle, watchdog: Watchdog) {
    let reporter = RuntimeMetricsReporter()
    return (
        reports: SwivelRuntime.reportMetrics(every: .seconds(10)),
        watchdog: try SwivelRuntime.watchdog(after: .seconds(1), reporter.countStall)
    )
}
