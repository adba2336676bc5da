// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Synchronization

/// A backend that adds up what the counter of the busy time gets; `TestMetrics` rounds it to whole
/// seconds.
final class BusyTime: MetricsFactory {
    private let total = Mutex(0.0)

    var seconds: Double { total.withLock { $0 } }

    func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        label == "swivel_loop_busy_seconds_total" ? Sum(self) : NOOPMetricsHandler.instance
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        NOOPMetricsHandler.instance
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    private final class Sum: FloatingPointCounterHandler {
        private let backend: BusyTime

        init(_ backend: BusyTime) { self.backend = backend }

        func increment(by amount: Double) { backend.total.withLock { $0 += amount } }
        func reset() { backend.total.withLock { $0 = 0 } }
    }
}
