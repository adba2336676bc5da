// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Logging
import SwivelCore
import Synchronization

/// Values that closures on any thread have added.
final class Kept<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Holds a loop's thread up.
struct Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func open() { opened.signal() }

    /// Blocks, and leaves the gate open for the next one.
    func waitUntilOpen() {
        opened.wait()
        opened.signal()
    }
}

func quiet() -> Logger {
    Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}

/// Waits until `loop` refuses work: a shutdown has begun.
func refusal(of loop: Loop) async {
    while loop.tryExecute({}) { await Task.yield() }
}

/// Waits until `count` timers wait on `loop`: a service has begun to wait.
func pendingTimers(of loop: Loop, reach count: Int) async {
    while loop.metrics.pending < count { await Task.yield() }
}
