// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Swivel
import SwivelMetrics

// Every ten seconds, until the loop is gone or the handle is cancelled.
func publish(_ loop: Loop) -> TimerHandle {
    loop.reportMetrics(every: .seconds(10), dimensions: [("service", "mail")])
}

// Or when the backend asks, and once more at the end.
func publishLast(of loop: Loop) -> ShutdownReport {
    let reporter = LoopMetricsReporter(for: loop)
    let report = loop.shutdown()
    reporter.report()
    return report
}
