// SPDX-License-Identifier: Apache-2.0

/// Signals as an asynchronous sequence; see ``Loop/signals(_:file:line:)``.
public struct Signals: AsyncSequence, Sendable {
    /// The elements are signals.
    public typealias Element = Signal
    /// A signal never fails.
    public typealias Failure = Never

    let mailbox: SignalMailbox

    /// Returns an iterator over the signals that come, and that no other iterator takes.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox)
    }

    /// One pass over the signals.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: SignalMailbox

        /// Waits for the next signal.
        ///
        /// **Thread:** any. The task resumes on its own executor.
        /// - Returns: The signal; `nil` once the task is cancelled or the loop is shut down.
        /// - Complexity: O(1).
        nonisolated(nonsending) public mutating func next() async -> Signal? {
            await mailbox.letters.take()
        }

        /// Waits for the next signal, on an actor; see ``next()``.
        ///
        /// **Thread:** any. The task resumes on its own executor.
        /// - Parameter actor: The caller's actor.
        /// - Returns: The signal, or `nil`.
        /// - Complexity: O(1).
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Signal? {
            await mailbox.letters.take()
        }
    }
}

/// Where signals wait for a task.
final class SignalMailbox: Sendable {
    let letters: Mailbox<Signal>
    private let watch: SignalWatch

    init(_ signals: [Signal], on loop: Loop, _ file: StaticString, _ line: UInt) {
        let letters = Mailbox<Signal>()
        self.letters = letters
        watch = SignalWatch(signals, on: loop, file, line, ended: { letters.close() }) { signal in
            letters.put(signal)
        }
    }

    deinit {
        watch.cancel()
    }
}
