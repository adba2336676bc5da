// SPDX-License-Identifier: Apache-2.0
internal import CSwivel
internal import CSwivel.Internal

/// Signals that a loop watches; see ``Loop/signals(_:file:line:_:)``.
///
/// Dropping it does nothing: the watch goes on until ``cancel()`` or the loop's end. When the last
/// watch of a signal in the process has ended, the signal has its usual effect again.
public final class SignalWatch: Sendable {
    /// The signals, each once.
    public let signals: [Signal]
    private let watcher: Watcher

    init(
        _ signals: [Signal], on loop: Loop, _ file: StaticString, _ line: UInt,
        ended: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable (Signal) -> Void
    ) {
        var seen: Set<Signal> = []
        let signals = signals.filter { seen.insert($0).inserted }
        for signal in signals {
            if let objection = signal.objection {
                trap("\(signal) cannot be watched: \(objection)", file: file, line: line)
            }
        }
        self.signals = signals
        watcher = Watcher({ work(Signal(rawValue: $0.number)) }, ended: ended)
        guard !signals.isEmpty else {
            watcher.end()  // No record of the core's would tell it of the loop's end.
            return
        }
        let expected = ExpectedSignals(signals, file, line)
        watcher.start(on: loop) { watcher, loop in
            for (signal, count) in expected.take() {
                let status = watcher.add(signal.rawValue, to: loop) { owner, record in
                    swivel__watch_signal(
                        loop.record, signal.rawValue, count, Watcher.calls, owner, &record)
                }
                Self.check(status, signal, file, line)
            }
        }
    }

    fileprivate static func check(
        _ status: Int32, _ signal: Signal, _ file: StaticString, _ line: UInt
    ) {
        SwivelCore.check(
            status == SWIVEL_OK,
            status == -EBUSY
                ? "other code of this process handles \(signal) already: have it hand the "
                    + "signal on, or let it go before Swivel watches it"
                : "\(signal) cannot be watched: \(SwivelError(status: status).message)",
            file: file, line: line)
    }

    /// Whether the closure may be called again. **Thread:** any.
    public var isActive: Bool { watcher.isActive }

    /// Ends the watch: its closure is not called any more; as ``Watch/cancel()``.
    ///
    /// **Thread:** any.
    /// - Returns: Whether the closure was waiting, running, or finished before.
    /// - Complexity: O(n) in the signals.
    @discardableResult
    public func cancel() -> CancelResult {
        watcher.cancel()
    }
}

/// Signals that have no effect until a loop watches them, or until this is released.
private final class ExpectedSignals: Sendable {
    private let counts: Lock<[(Signal, UInt32)]>

    init(_ signals: [Signal], _ file: StaticString, _ line: UInt) {
        counts = Lock(
            signals.map { signal in
                var count: UInt32 = 0
                let status = swivel__signal_expect(signal.rawValue, &count)
                SignalWatch.check(status, signal, file, line)
                return (signal, count)
            })
    }

    /// The signals, with the count that `swivel__watch_signal` wants. Once.
    func take() -> [(Signal, UInt32)] {
        counts.withLock { counts in
            defer { counts = [] }
            return counts
        }
    }

    deinit {
        for (signal, _) in take() { swivel__signal_leave(signal.rawValue) }
    }
}

/// Signals as an asynchronous sequence; see ``Loop/signals(_:file:line:)``.
public typealias Signals = AsyncStream<Signal>

extension Loop {
    /// Calls `body` on the loop's thread whenever one of these signals comes.
    ///
    /// From the return of this call on, the signals have no other effect. One that comes again
    /// before `body` was called for it counts once, as everywhere. Several loops may watch the same
    /// signal, and each hears of it.
    ///
    /// Traps if a signal is one that no process can handle or that is for the thread that caused
    /// it, and if other code of the process handles it: that code would hear of it no more. A loop
    /// that is over releases `body`, and so does a watch of no signals. Code that handles signals
    /// through libuv may do so beside this, before and after. Threads of loops and of the background
    /// pool have signals blocked; the handler runs on another thread of the process, the main one if
    /// it does not block them.
    ///
    /// **Thread:** any. `body` runs on the loop's thread.
    /// - Parameters:
    ///   - signals: What to wait for.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    ///   - body: Hears which signal has come.
    /// - Returns: The watch.
    /// - Complexity: O(n) in the signals, with a few allocations and system calls each.
    @discardableResult
    public func signals(
        _ signals: [Signal], file: StaticString = #fileID, line: UInt = #line,
        _ body: @escaping @Sendable (Signal) -> Void
    ) -> SignalWatch {
        refuseManualWatch(file, line)
        return SignalWatch(signals, on: self, file, line, body)
    }

    /// Signals, for `for await`. They are watched from the return of this call on, until the
    /// sequence and its iterators are released.
    ///
    /// Each signal goes to one of the iterators. The sequence ends when a task that waits for it is
    /// cancelled and when the loop shuts down; that of no signals is at its end. Otherwise as
    /// ``signals(_:file:line:_:)``.
    ///
    ///     for await signal in loop.signals([.terminate, .hangup]) {
    ///         if signal == .terminate { break }
    ///         readConfiguration()
    ///     }
    ///
    /// **Thread:** any. The task resumes on its own executor.
    /// - Parameters:
    ///   - signals: What to wait for.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: The sequence.
    /// - Complexity: O(n) in the signals, with a few allocations and system calls each.
    public func signals(
        _ signals: [Signal], file: StaticString = #fileID, line: UInt = #line
    ) -> Signals {
        refuseManualWatch(file, line)
        let (sequence, letters) = AsyncStream.makeStream(of: Signal.self)
        let watch = SignalWatch(signals, on: self, file, line, ended: { letters.finish() }) {
            letters.yield($0)
        }
        letters.onTermination = { _ in watch.cancel() }
        return sequence
    }
}
