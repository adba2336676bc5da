// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelJobs
import SwivelTestSupport
import Synchronization

/// The error of the tests' jobs.
struct JobFault: Error, Equatable { var code = 0 }

/// A job whose end the test decides.
final class JobHand<Value: Sendable, Failure: Error>: Sendable {
    private let controls = Shared<(Job<Value, Failure>.Succeed, Job<Value, Failure>.Fail)?>(nil)
    private let reporter = Shared<Job<Value, Failure>.Report?>(nil)
    private let runs = Atomic(0)

    /// How often the body ran.
    var executions: Int { runs.load(ordering: .relaxed) }

    func make() -> Job<Value, Failure> {
        Job { [self] succeed, fail, report in
            runs.wrappingAdd(1, ordering: .relaxed)
            controls.value = (succeed, fail)
            reporter.value = report
        }
    }

    func succeed(_ value: Value) { controls.value?.0(value) }
    func fail(_ error: Failure) { controls.value?.1(error) }
    func report(_ fraction: Double) { reporter.value?(JobProgress(fraction)) }
}

/// Notes what the handlers of a job hear: "success 1", "failure 2", "cancel", "0.5".
extension Job where Value: Equatable {
    @discardableResult
    func log(
        to notes: Shared<[String]>, as name: String = "",
        on context: any ExecutionContext = .immediate
    ) -> Self {
        onSuccess(on: context) { notes.append("\(name)success \($0)") }
        onFailure(on: context) { notes.append("\(name)failure \(($0 as? JobFault)?.code ?? -1)") }
        onProgress(on: context) { notes.append("\(name)\($0.fraction)") }
        onCancel(on: context) { notes.append("\(name)cancel") }
        return self
    }
}

/// Counts what is alive.
final class JobCapture: Sendable {
    private let alive: Shared<Int>

    init(_ alive: Shared<Int>) {
        self.alive = alive
        alive.add()
    }

    deinit { alive.add(-1) }
}

/// A context that runs work at once, as the user's own type might.
let inline = AnyContext { $0() }
