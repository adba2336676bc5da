// SPDX-License-Identifier: Apache-2.0
#if ServiceLifecycle
public import ServiceLifecycle
public import SwivelCore

/// A loop as a service: it lives as long as the service group wants, and ends in good order.
///
/// The loop runs from its creation on. The service only ends it. Put it before the services that
/// use the loop: a group shuts its services down in reverse order.
///
/// ```swift
/// let group = ServiceGroup(services: [LoopService(loop), server], logger: logger)
/// ```
public struct LoopService: Service {
    private let loop: Loop
    private let mode: ShutdownMode
    private let onReport: @Sendable (ShutdownReport) -> Void
    private let file: StaticString
    private let line: UInt

    /// A service that shuts `loop` down.
    ///
    /// ``Loop/shared`` and ``Loop/main`` cannot be shut down: with them the end of the service
    /// traps.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - loop: A loop of your own. The service retains it.
    ///   - mode: The fate of closures that have not started. A drain cannot be cut short: its limit
    ///     should be below the group's `maximumGracefulShutdownDuration`.
    ///   - onReport: Hears what became of the loop's closures. It runs once for each ``run()``, in
    ///     the service's task, when the loop has closed.
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Complexity: O(1).
    public init(
        _ loop: Loop, shutdown mode: ShutdownMode = .drain(within: .seconds(5)),
        onReport: @escaping @Sendable (ShutdownReport) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.loop = loop
        self.mode = mode
        self.onReport = onReport
        self.file = file
        self.line = line
    }

    /// Waits for the group's graceful shutdown or for the task's cancellation, then shuts the loop
    /// down in the service's mode, and returns when it has closed.
    ///
    /// It returns too, without an error, after anyone else has shut the loop down. The service's
    /// `successTerminationBehavior` says how the group goes on: by default it cancels the other
    /// services and throws `ServiceGroupError.serviceFinishedUnexpectedly`. The mode is that of the
    /// first shutdown, and the report is the same for all.
    ///
    /// **Thread:** any task; blocks no thread of the cooperative pool.
    /// - Throws: Nothing.
    /// - Complexity: O(n) in the pending closures. While it waits it is one timer of the loop that
    ///   never fires; a shutdown by anyone else counts it as a cancelled timer.
    public func run() async {
        await LoopsEnd.wait(for: [loop])
        onReport(await loop.shutdown(mode, file: file, line: line))
    }
}

extension LoopService: CustomStringConvertible {
    /// The loop's name, which a service group writes in its logs.
    public var description: String { "LoopService(\(loop.name))" }
}
#else
/// Needs the trait `ServiceLifecycle`.
@available(
    *, unavailable,
    message: "SwivelServiceLifecycle needs its trait: .package(..., traits: [\"ServiceLifecycle\"])"
)
public struct LoopService {
    /// Needs the trait.
    public init(_ loop: Any) {}
}
#endif
