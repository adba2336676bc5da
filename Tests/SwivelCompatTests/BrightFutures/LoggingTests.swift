// SPDX-License-Identifier: Apache-2.0
import Swivel
import SwivelCompat
import SwivelTestSupport
import Testing

private struct Fault: Error {}

/// BrightFutures' `debug`.
@Suite struct LoggingTests {
    @available(*, deprecated)
    @Test func debugLogsTheCompletion() {
        struct Recorder: LoggerType {
            let lines = Note<[String]>([])
            func log(message: String) { lines.update { $0.append(message) } }
        }
        let logger = Recorder()
        _ = Future<Int, Fault>(value: 1).debug("answer").forced()
        _ = Future<Int, Fault>(value: 1).debug("answer", logger: logger).forced()
        _ = Future<Int, Fault>(value: 1).debug(logger: logger, line: 7, function: "f()").forced()
        #expect(logger.lines.value.first == "Future answer completed")
        #expect(
            logger.lines.value.last
                == "LoggingTests.swift at line 7, func: f() - future completed")
        Logger().log(message: "logged")
    }

    /// A logged failure counts as observed, whatever the logger does.
    @available(*, deprecated)
    @Test func aLoggedFailureIsObserved() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                struct Silent: LoggerType {
                    func log(message: String) {}
                }
                let reported = Counter()
                Future.onUnobservedFailure { _ in reported.add() }
                _ = Future<Int, Fault>(error: Fault()).debug(logger: Silent()).forced()
                require(reported.value == 0, "\(reported.value)")
            }
        }
    }
}
