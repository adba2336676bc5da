// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelFutures
import Synchronization
import Testing

/// What jobs of the tests fail with.
struct JobFault: Error, Equatable { var code = 0 }

/// A value that several threads touch.
final class JobBox<Value>: @unchecked Sendable {
    // because the lock guards it.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { update { $0 = newValue } }
    }

    @discardableResult
    func update<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&stored) } }
}

extension JobBox where Value == [String] {
    convenience init() { self.init([]) }

    func note(_ text: String) { update { $0.append(text) } }
}

/// A job whose end the test decides.
final class JobHand<Value: Sendable, Failure: Error>: Sendable {
    private let controls = JobBox<(Job<Value, Failure>.Succeed, Job<Value, Failure>.Fail)?>(nil)
    private let reporter = JobBox<Job<Value, Failure>.Report?>(nil)
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
        to notes: JobBox<[String]>, as name: String = "",
        on context: any ExecutionContext = .immediate
    ) -> Self {
        onSuccess(on: context) { notes.note("\(name)success \($0)") }
        onFailure(on: context) { notes.note("\(name)failure \(($0 as? JobFault)?.code ?? -1)") }
        onProgress(on: context) { notes.note("\(name)\($0.fraction)") }
        onCancel(on: context) { notes.note("\(name)cancel") }
        return self
    }
}

/// A serial context that keeps what it is given until the test runs it.
final class JobQueue: ExecutionContext {
    private let queue = JobBox<[@Sendable () -> Void]>([])

    func execute(_ work: @escaping @Sendable () -> Void) { queue.update { $0.append(work) } }
    var isCurrent: Bool { false }
    var count: Int { queue.value.count }

    func runAll() {
        while let work = queue.update({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
    }

    func dropAll() { queue.value = [] }
}

/// Counts what is alive.
final class JobCapture: Sendable {
    private let alive: JobBox<Int>

    init(_ alive: JobBox<Int>) {
        self.alive = alive
        alive.update { $0 += 1 }
    }

    deinit { alive.update { $0 -= 1 } }
}

/// Runs `body` on `count` threads, and waits for them.
func onJobThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let condition = NSCondition()
    let missing = JobBox(count)
    for number in 0..<count {
        let thread = Thread {
            body(number)
            condition.withLock {
                missing.update { $0 -= 1 }
                condition.broadcast()
            }
        }
        thread.stackSize = 512 * 1024
        thread.start()
    }
    condition.withLock { while missing.value > 0 { condition.wait() } }
}

/// Random numbers that can be had again: the seed is printed, and `SWIVEL_TEST_SEED` sets it.
struct JobRandom: RandomNumberGenerator {
    private var state: UInt64

    init(for test: String = #function) {
        let given = ProcessInfo.processInfo.environment["SWIVEL_TEST_SEED"].flatMap(UInt64.init)
        state = given ?? .random(in: .min ... .max)
        print("\(test): seed \(state)")
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
