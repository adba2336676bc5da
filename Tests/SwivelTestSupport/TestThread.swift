// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A thread of a test. It is joined, so that a test ends with the threads it began with.
package final class TestThread: Sendable {
    private let thread: Shared<pthread_t?>

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Parameter stackSize: In bytes; `nil`: the system's default.
    package init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        if let stackSize, pthread_attr_setstacksize(attributes, stackSize) != 0 {
            fatalError("no stack of \(stackSize) bytes")
        }
        let box = Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Darwin)
        var started: pthread_t?
        let status = pthread_create(&started, attributes, Self.run, box)
        #else
        var started = pthread_t()
        let status = pthread_create(&started, attributes, Self.run, box)
        #endif
        if status != 0 {
            fatalError("no thread for a test: \(status)")
        }
        thread = Shared(started)
    }

    #if canImport(Darwin)
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
        Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
        return nil
    }
    #else
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        {
            if let box = $0 {
                Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
            }
            return nil
        }
    #endif

    /// Waits for the thread's end.
    package func join() {
        let thread = thread.update { thread in
            defer { thread = nil }
            return thread
        }
        if let thread {
            pthread_join(thread, nil)
        }
    }
}

/// Runs `body` on a thread of its own, and returns what it returns.
package func onThread<R: Sendable>(stackSize: Int? = nil, _ body: @escaping @Sendable () -> R) -> R
{
    let result = Shared<R?>(nil)
    TestThread(stackSize: stackSize) { result.value = body() }.join()
    // swift-format-ignore: NeverForceUnwrap
    return result.value!  // because the thread has ended
}
