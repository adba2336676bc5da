// SPDX-License-Identifier: Apache-2.0
#if ServiceLifecycle
public import ServiceLifecycle
public import SwivelCore

/// The loops of a group as one service; see ``LoopService``.
public struct LoopGroupService: Service {
    private let group: LoopGroup
    private let mode: ShutdownMode
    private let onReport: @Sendable ([ShutdownReport]) -> Void

    /// A service that shuts the loops of `group` down, side by side.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - group: The loops. The service retains them.
    ///   - mode: The fate of closures that have not started. A drain cannot be cut short: its limit
    ///     should be below the service group's `maximumGracefulShutdownDuration`.
    ///   - onReport: Hears what became of each loop's closures, in the order of the group's loops;
    ///     `total` adds the reports up. It runs once for each ``run()``, in the service's task,
    ///     when all loops have closed.
    /// - Complexity: O(1).
    public init(
        _ group: LoopGroup, shutdown mode: ShutdownMode = .drain(within: .seconds(5)),
        onReport: @escaping @Sendable ([ShutdownReport]) -> Void = { _ in }
    ) {
        self.group = group
        self.mode = mode
        self.onReport = onReport
    }

    /// Waits for the service group's graceful shutdown or for the task's cancellation, then shuts
    /// all loops down in the service's mode, and returns when they have closed.
    ///
    /// A loop that anyone else has shut down ends the service and with it the other loops; see
    /// ``LoopService/run()``.
    ///
    /// **Thread:** any task; blocks no thread of the cooperative pool.
    /// - Throws: Nothing.
    /// - Complexity: O(n) in the pending closures. While it waits it is one timer of each loop.
    public func run() async {
        await LoopsEnd.wait(for: group.loops)
        onReport(await group.shutdown(mode))
    }
}

extension LoopGroupService: CustomStringConvertible {
    /// The loops' names, which a service group writes in its logs.
    public var description: String {
        "LoopGroupService(\(group.loops.map(\.name).joined(separator: ", ")))"
    }
}
#else
/// Needs the trait `ServiceLifecycle`.
@available(
    *, unavailable,
    message: "SwivelServiceLifecycle needs its trait: .package(..., traits: [\"ServiceLifecycle\"])"
)
public struct LoopGroupService {
    /// Needs the trait.
    public init(_ group: Any) {}
}
#endif
