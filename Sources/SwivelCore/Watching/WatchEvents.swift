// SPDX-License-Identifier: Apache-2.0

/// The readiness of a file descriptor, as an asynchronous sequence; see
/// ``Loop/events(of:for:file:line:)``.
public struct WatchEvents: AsyncSequence, Sendable {
    /// The elements are events.
    public typealias Element = WatchEvent
    /// An error is an event.
    public typealias Failure = Never

    let loop: Loop
    let descriptor: Int32
    let interest: Readiness

    /// Returns an iterator that watches the descriptor until it is released.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1), as ``Loop/watch(_:for:label:file:line:_:)``.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One pass over the events. The descriptor is watched while ``next()`` waits.
    public struct Iterator: AsyncIteratorProtocol {
        private var events: AsyncStream<WatchEvent>.Iterator
        private let watch: Watch
        private let interest: Readiness

        init(_ sequence: WatchEvents) {
            let (events, letters) = AsyncStream.makeStream(of: WatchEvent.self)
            let watch = Watch(
                sequence.descriptor, for: [], on: sequence.loop, restsAfterNews: true,
                ended: { letters.finish() }
            ) { event in
                letters.yield(event)
                if event.error != nil { letters.finish() }
            }
            letters.onTermination = { _ in watch.cancel() }
            self.events = events.makeAsyncIterator()
            self.watch = watch
            interest = sequence.interest
        }

        /// Waits until the descriptor is ready.
        ///
        /// **Thread:** any. The task resumes on its own executor.
        /// - Returns: The event; `nil` once there was one with an error, the task is cancelled, or
        ///   the loop is shut down.
        /// - Complexity: O(1).
        nonisolated(nonsending) public mutating func next() async -> WatchEvent? {
            await next(isolation: #isolation)
        }

        /// Waits until the descriptor is ready, and returns as ``next()`` does.
        ///
        /// **Thread:** any. The task, whose `actor` is the caller's, resumes on its own executor.
        /// - Complexity: O(1).
        public mutating func next(isolation actor: isolated (any Actor)?) async -> WatchEvent? {
            // It rests while the task does not wait: a descriptor that stays ready costs nothing.
            watch.rearm(for: interest)
            return await events.next(isolation: actor)
        }
    }
}

extension Loop {
    /// Returns the events of `fileDescriptor` that are in `interest`, for `for await`.
    ///
    /// The descriptor is watched while the task waits for the next event, so that nothing is queued
    /// and one that stays ready costs nothing while the loop's body runs. The sequence ends after
    /// an event with an error, when its task is cancelled and when the loop shuts down. Otherwise
    /// as ``watch(_:for:label:file:line:_:)``.
    ///
    ///     for await event in loop.events(of: socket, for: .readable) {
    ///         guard event.error == nil else { break }
    ///         readAll(socket)
    ///     }
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Returns: The sequence. Each iteration of it is a watch of its own.
    /// - Complexity: O(1) without allocation.
    public func events(
        of fileDescriptor: Int32, for interest: Readiness = .readable,
        file: StaticString = #fileID, line: UInt = #line
    ) -> WatchEvents {
        refuseManualWatch(file, line)
        return WatchEvents(loop: self, descriptor: fileDescriptor, interest: interest)
    }
}
