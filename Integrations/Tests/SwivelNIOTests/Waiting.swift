// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix
import SwivelCore
import SwivelNIO
import Synchronization
import Testing

/// Counts events on other threads, and waits for them for a minute at most.
final class Gate: @unchecked Sendable {
    // because the condition guards the count.
    private let condition = NSCondition()
    private var count = 0

    var opened: Int { condition.withLock { count } }

    func open() {
        condition.withLock {
            count += 1
            condition.broadcast()
        }
    }

    /// Waits until it was opened `times` times in all. A loss ends the test after a minute.
    func wait(times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let limit = Date(timeIntervalSinceNow: 60)
        let opened = condition.withLock {
            while count < times && condition.wait(until: limit) {}
            return count
        }
        try #require(opened >= times, sourceLocation: sourceLocation)
    }
}

/// A value that several threads touch.
final class Shared<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>

    init(_ value: Value) { stored = Mutex(value) }

    var value: Value {
        get { stored.withLock { $0 } }
        set {
            // The old value is released outside the lock.
            _ = stored.withLock { stored in
                defer { stored = newValue }
                return stored
            }
        }
    }

    func update<R: Sendable>(_ body: (inout Value) -> R) -> R {
        stored.withLock { body(&$0) }
    }
}

/// Captured by closures; opens its gate when the last of them is released.
final class Token: Sendable {
    private let released: Gate

    init(_ released: Gate) { self.released = released }

    deinit { released.open() }

    func touch() {}
}

/// A thread of its own, whose end can be waited for.
func thread(_ ended: Gate, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
        body()
        ended.open()
    }
}

extension Loop {
    /// Runs `body` on the loop's thread, and waits until then.
    func onThread<R: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () -> R
    ) throws -> R {
        let (result, gate) = (Shared<R?>(nil), Gate())
        execute {
            result.value = body()
            gate.open()
        }
        try gate.wait(sourceLocation: sourceLocation)
        return try #require(result.value, sourceLocation: sourceLocation)
    }
}

/// Runs `body` with a loop on an event loop of its own, on another thread than theirs. Both end
/// after it.
func withHostedLoop(_ body: (Loop, any EventLoop) throws -> Void) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = group.next()
    let loop = try Loop.hosted(by: eventLoop)
    defer {
        loop.shutdown()
        // Everything that the loop has queued there is behind it.
        #expect(throws: Never.self) { try group.syncShutdownGracefully() }
    }
    try body(loop, eventLoop)
}
