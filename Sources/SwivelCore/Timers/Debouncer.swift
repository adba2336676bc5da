// SPDX-License-Identifier: Apache-2.0

/// Many values, one run with the latest: a ``Coalescer`` whose calls have a value.
///
/// ```swift
/// let search = Debouncer<String>(on: loop, after: .milliseconds(300)) { text in
///     showResults(for: text)
/// }
/// // At each key:
/// search.call(field.text)
/// ```
///
/// Each ``call(_:)`` replaces the pending value, which is released at once, and moves the run to
/// `after` from now. With `maxWait`, a run starts no later than that after the first call of a
/// series, if its context is not itself held up. A run that comes late on its context, with calls
/// in between, is put off until `after` since the last one, but not past the limit, and gets the
/// latest value. A value that arrives while `body` runs begins a new series.
///
/// Releasing the debouncer does nothing: a pending run happens at its time. ``cancel()`` drops it,
/// with its value, and so does the loop's shutdown, which counts it.
///
/// **Thread:** any.
public final class Debouncer<Value: Sendable>: Sendable {
    /// The value of a series, on its way to the run.
    private final class Box: @unchecked Sendable {
        // because the core's lock guards the value, until the run alone has the box.
        var value: Value?

        init(_ value: Value?) { self.value = value }
    }

    private let core: CoalescerCore
    /// Keeps the time.
    private let loop: Loop

    /// A debouncer without a pending run. `body` runs on `context`, and is released with the
    /// debouncer, or after the run that is pending then.
    ///
    /// Contexts that are not loops keep their time on ``Loop/shared``. `maxWait` has no limit if it
    /// is `nil`, and traps if it is shorter than the `delay`: it would replace it. The `label`
    /// names the closure to a ``Watchdog`` and in ``Loop/pending(limit:file:line:)``.
    ///
    /// - Complexity: O(1), a few allocations.
    @preconcurrency
    public init(
        on context: some ExecutionContext, after delay: Duration, maxWait: Duration? = nil,
        label: StaticString = "Debouncer", _ body: @escaping @Sendable (Value) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        check(
            maxWait ?? delay >= delay,
            """
            a debouncer's maxWait (\(maxWait ?? delay)) must not be shorter than its delay \
            (\(delay)), which would never count; raise maxWait, or leave it out
            """, file: file, line: line)
        loop = context as? Loop ?? .shared
        core = CoalescerCore(
            by: loop, on: context,
            .pause(
                delay.nanosecondsRoundedUp, maxWait: maxWait?.nanosecondsRoundedUp, grain: 0),
            label: label
        ) { box in
            // Released when the body has returned, before the tasks that wait for the run continue.
            let value = box.flatMap { unsafeDowncast($0, to: Box.self).value.take() }
            if let value { body(value) }
        }
    }

    deinit { core.abandon() }

    /// Requests a run with `value`, and moves the run if one is pending. The value that this one
    /// replaces is released before the call returns.
    ///
    /// - Returns: False if the loop is shut down, which releases the value.
    /// - Complexity: O(1); the first call of a series allocates an object.
    @discardableResult
    public func call(_ value: Value) -> Bool {
        // The value that it holds in the end is released after the lock.
        var value = Optional(value)
        return core.call { box in
            if let box {
                swap(&unsafeDowncast(box, to: Box.self).value, &value)
            } else {
                box = Box(value.take())
            }
        }
    }

    /// Moves the pending run to the context's next turn. ``flushAndWait()`` waits for its end.
    ///
    /// - Returns: False if no run was pending.
    /// - Complexity: O(1), a post.
    @discardableResult
    public func flush() -> Bool { core.flush(on: loop) }

    /// Moves the pending run to the context's next turn and waits for its end, and for that of
    /// every run that has begun. Returns at once if there is none, if the task is cancelled, and
    /// when ``cancel()`` drops the run before it has started.
    ///
    /// **Thread:** any task.
    /// - Complexity: O(n) in the runs that have begun, of which a loop has one; a post.
    public func flushAndWait() async { await core.flushAndWait(on: loop) }

    /// Drops the pending run, and releases its value before it returns.
    ///
    /// - Returns: Whether a run was pending. It will not start.
    /// - Complexity: O(1) without allocation.
    @discardableResult
    public func cancel() -> Bool { core.cancel() }

    /// Whether a run is pending.
    public var isPending: Bool { core.isPending && !loop.isOver }
}
