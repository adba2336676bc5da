// SPDX-License-Identifier: Apache-2.0
internal import CSwivel.Internal

/// Signals that a loop watches; see ``Loop/signals(_:label:file:line:_:)``.
///
/// Dropping it does nothing: the watch lasts until ``cancel()`` or the loop's end. The end of the
/// last watch of a signal installs its former handler again, unless other code has installed one.
///
/// **Thread:** any.
public final class SignalWatch: Sendable {
    /// The signals, each once.
    public let signals: [Signal]
    private let watcher: Watcher
    private let failure: Lock<SwivelError?>

    init(
        _ signals: [Signal], on loop: Loop, label: StaticString?,
        ended: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable (Signal) -> Void
    ) {
        var seen: Set<Signal> = []
        self.signals = signals.filter { seen.insert($0).inserted }
        watcher = Watcher(
            { work(Signal(rawValue: $0.number)) }, label: label,
            site: Listener(run: work).site, ended: ended)
        let expected = ExpectedSignals()
        let failure = Lock(expected.add(self.signals))
        self.failure = failure
        // A watch of no signals has no record in the core that would report the loop's end.
        guard !signals.isEmpty, failure.withLock({ $0 == nil }) else {
            watcher.endWithLoop()
            return
        }
        watcher.start(on: loop) { watcher, loop in
            let error = expected.handOver { signal, count in
                watcher.add(signal.rawValue, to: loop) { owner, record in
                    swivel__watch_signal(
                        loop.record, signal.rawValue, count, watcher.calls, owner, &record)
                }
            }
            guard let error else { return }
            failure.withLock { $0 = error }
            _ = watcher.cancel()
        }
    }

    /// Whether the closure may be called again.
    public var isActive: Bool { watcher.isActive }

    /// Why these signals cannot be watched: no process can handle one, or the system lacks the
    /// means for one. `nil` if they are watched, and after a cancel or the end of the loop.
    public var error: SwivelError? { failure.withLock { $0 } }

    /// Ends the watch, as ``Watch/cancel()``, whose results it returns.
    ///
    /// - Complexity: O(n) in the signals.
    @discardableResult
    public func cancel() -> CancelResult { watcher.cancel() }
}

/// The closure, in a struct around a concrete function type as in `Watcher.Listener`.
private struct Listener {
    let run: @Sendable (Signal) -> Void

    /// The first word, which is the closure's function.
    var site: UInt64 { withUnsafeBytes(of: self) { UInt64($0.load(as: UInt.self)) } }
}

/// Signals that have no effect until a loop watches them, or until this is released.
private final class ExpectedSignals: Sendable {
    private let counts = Lock<[(Signal, UInt32)]>([])

    /// Returns why one of them cannot be watched.
    func add(_ signals: [Signal]) -> SwivelError? {
        for signal in signals {
            var count: UInt32 = 0
            let status = signal.isForItsThread ? 0 : swivel__signal_expect(signal.rawValue, &count)
            guard !signal.isForItsThread, status == SWIVEL_OK else { return signal.error(status) }
            counts.withLock { $0.append((signal, count)) }
        }
        return nil
    }

    /// Calls `watch` for each signal, with the count that the core wants. Once. Returns the error
    /// of the first signal that cannot be watched.
    func handOver(_ watch: (Signal, UInt32) -> Int32) -> SwivelError? {
        while let (signal, count) = take() {
            let status = watch(signal, count)
            guard status == SWIVEL_OK else { return signal.error(status) }
        }
        return nil
    }

    private func take() -> (Signal, UInt32)? {
        counts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    deinit {
        while let (signal, _) = take() { swivel__signal_leave(signal.rawValue) }
    }
}

/// Signals as an asynchronous sequence; see ``Loop/signals(_:label:file:line:)``.
public typealias Signals = AsyncStream<Signal>

extension Loop {
    /// Calls `body` on the loop's thread whenever one of these `signals` comes.
    ///
    /// From the return of this call on, the signals no longer have their usual effect. A signal
    /// that comes again before `body` was called for it counts once. Several loops may watch the
    /// same signal, and each calls its closure. The `label` names `body` in reports.
    ///
    /// Other code of the process may handle the same signals, through `sigaction`, libuv or a
    /// `DispatchSource`: Swivel's handler calls each handler that it has found. If other code
    /// installs its handler later, Swivel's is put back by a check that every loop that watches
    /// signals makes at most every 100 ms while it runs turns. An idle loop runs none: a signal
    /// that the other handler receives does not wake it. Other code that takes signals by `sigwait`
    /// or a `signalfd` of its own may take one before Swivel does.
    ///
    /// A signal that cannot be watched, such as `SIGKILL`, makes the watch inactive, and
    /// ``SignalWatch/error`` gives the reason. Traps on a manual loop. A loop that is over releases
    /// `body`, and so does a watch of no signals.
    ///
    /// The handler runs on any thread that does not block the signal; the system prefers the main
    /// one. Threads of loops and of the background pool block signals, except that a loop with a
    /// thread of its own does not block those that it watches.
    ///
    /// **Thread:** any. `body` runs on the loop's thread.
    /// - Returns: The watch.
    /// - Complexity: O(n) in the signals, with a few allocations and system calls each.
    @preconcurrency
    @discardableResult
    public func signals(
        _ signals: [Signal], label: StaticString? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ body: @escaping @Sendable (Signal) -> Void
    ) -> SignalWatch {
        refuseManualWatch(file, line)
        return SignalWatch(signals, on: self, label: label, body)
    }

    /// Returns these `signals`, for `for await`. They are watched from the return of this call on,
    /// until the sequence and its iterators are released.
    ///
    /// Each signal goes to one of the iterators. The sequence ends when a task that waits for it is
    /// cancelled and when the loop shuts down. One of no signals, or of a signal that cannot be
    /// watched, is at its end. Otherwise as ``signals(_:label:file:line:_:)``; the `label` names
    /// the watch.
    ///
    ///     for await signal in loop.signals([.terminate, .hangup]) {
    ///         if signal == .terminate { break }
    ///         readConfiguration()
    ///     }
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Complexity: O(n) in the signals, with a few allocations and system calls each.
    public func signals(
        _ signals: [Signal], label: StaticString? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Signals {
        refuseManualWatch(file, line)
        let (sequence, letters) = AsyncStream.makeStream(of: Signal.self)
        let watch = SignalWatch(
            signals, on: self, label: label, ended: { letters.finish() }
        ) { letters.yield($0) }
        letters.onTermination = { _ in watch.cancel() }
        return sequence
    }
}
