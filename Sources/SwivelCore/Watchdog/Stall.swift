// SPDX-License-Identifier: Apache-2.0

/// A loop that runs no turns: a closure blocks it, or it has no thread and is not driven.
public struct Stall: Hashable, Sendable {
    /// The loop's name.
    public let loop: String
    /// The label of the closure; `nil`: it has none.
    public let label: String?
    /// The place of a closure without a label in the program's files, such as `server+0x1a2b`:
    /// `addr2line -fpe server 0x1a2b` prints its function and line. `nil`: it has a label, or it is
    /// a future's callback or a task.
    public let site: String?
    /// Whether no closure blocks it: work is due on a loop without a thread, and the program or its
    /// host does not drive it.
    public let isUnattended: Bool
    /// How long the loop has not gone on so far, or did not if it is over: then to within a quarter
    /// of the watchdog's limit.
    public let duration: Duration
    /// Whether the loop runs turns again.
    public let isOver: Bool
}

extension Stall: CustomStringConvertible {
    /// Such as `server is blocked by "render" for 1.5 seconds`.
    public var description: String {
        let verb = isOver ? "was" : "is"
        if isUnattended {
            return
                "\(loop) \(verb) not driven for \(duration), though work is due: its host has to "
                + "call runOnce(_:) after each wake, and when its descriptor is readable"
        }
        let place = site.map { "a closure at \($0)" } ?? "a callback or a task"
        let name = label.map { "\"\($0)\"" } ?? place
        return "\(loop) \(verb) blocked by \(name) for \(duration)"
    }
}
