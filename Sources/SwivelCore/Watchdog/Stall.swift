// SPDX-License-Identifier: Apache-2.0

/// A closure that keeps its loop from going on.
public struct Stall: Hashable, Sendable {
    /// The loop's name.
    public let loop: String
    /// The label of the closure; `nil`: it has none.
    public let label: String?
    /// The place of a closure without a label in the program's files, such as `server+0x1a2b`:
    /// `addr2line -fpe server 0x1a2b` prints its function and line. `nil`: it has a label, or it is
    /// a future's callback or a task.
    public let site: String?
    /// How long the loop has not gone on so far, or did not if it is over: then to within a quarter
    /// of the watchdog's limit.
    public let duration: Duration
    /// Whether the loop goes on again.
    public let isOver: Bool
}

extension Stall: CustomStringConvertible {
    /// Such as `server is blocked by "render" for 1.5 seconds`.
    public var description: String {
        let place = site.map { "a closure at \($0)" } ?? "a callback or a task"
        let name = label.map { "\"\($0)\"" } ?? place
        return "\(loop) \(isOver ? "was" : "is") blocked by \(name) for \(duration)"
    }
}
