// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CSwivelTestSupport
import Glibc
import Synchronization

/// Ends the program as a failure whose reason is in its output.
func require(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
    if condition { return }
    fflush(nil)
    fatalError("line \(line): \(message())")
}

/// The name of the calling thread.
func threadName() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
        guard let start = name.baseAddress else { return "" }
        swivel_process_thread_name(start)
        return String(cString: start)
    }
}

let isSanitized = swivel_is_under_tsan() || swivel_is_under_asan()

/// `count`, or a tenth of it under a sanitizer.
func scaled(_ count: Int) -> Int { isSanitized ? count / 10 : count }

/// A number that several tasks add to.
final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    func add(_ amount: Int = 1) { number.add(amount, ordering: .sequentiallyConsistent) }
}

/// Yields until `condition` is true; the test limits the time.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

func compute(until end: ContinuousClock.Instant) { while ContinuousClock.now < end {} }

let hour = Duration.seconds(3600)
#endif
