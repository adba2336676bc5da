// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A lock with a condition that shares no code with what is being tested.
final class Monitor: Sendable {
    private let condition = NSCondition()

    func locked<R>(_ body: () throws -> R) rethrows -> R {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// Under the lock: sleeps until a wake, or until `seconds` have passed. False: they have.
    func wait(seconds: Int) -> Bool {
        condition.wait(until: Date(timeIntervalSinceNow: Double(seconds)))
    }

    func wakeAll() {
        condition.broadcast()
    }
}

/// A value that several threads touch.
final class Shared<Value>: @unchecked Sendable {
    // because the monitor guards it.
    private let monitor = Monitor()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { monitor.locked { stored } }
        set {
            // The old value is released outside the lock: its deinit may be what is being tested.
            let old = monitor.locked {
                let old = stored
                stored = newValue
                return old
            }
            _ = old
        }
    }

    func update<R>(_ body: (inout Value) -> R) -> R {
        monitor.locked { body(&stored) }
    }
}

extension Shared where Value: RangeReplaceableCollection {
    convenience init() {
        self.init(Value())
    }

    func append(_ element: Value.Element) {
        update { $0.append(element) }
    }
}

extension Shared where Value == Int {
    convenience init() {
        self.init(0)
    }

    func add(_ amount: Int = 1) {
        update { $0 += amount }
    }
}

/// Counts what happens elsewhere, and waits for it: never by sleeping, and not for ever.
final class Gate: @unchecked Sendable {
    // because the monitor guards the count.
    private let monitor = Monitor()
    private var count = 0

    /// Once more.
    func open() {
        monitor.locked {
            count += 1
            monitor.wakeAll()
        }
    }

    var opened: Int {
        monitor.locked { count }
    }

    /// Waits until it was opened `times` times in all. A wait that takes longer than `seconds` fails
    /// the test, so that a loss shows as a failure and not as a hang.
    @discardableResult
    func wait(
        times: Int = 1, seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Bool {
        let arrived = isOpened(times: times, seconds: seconds)
        if !arrived {
            Issue.record(
                "opened \(opened) times in \(seconds) s, not \(times)",
                sourceLocation: sourceLocation)
        }
        return arrived
    }

    /// As `wait`, without failing the test.
    func isOpened(times: Int = 1, seconds: Int) -> Bool {
        monitor.locked {
            while count < times {
                if !monitor.wait(seconds: seconds) {
                    return count >= times
                }
            }
            return true
        }
    }
}
