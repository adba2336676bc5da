// SPDX-License-Identifier: Apache-2.0
public import SwivelCore

/// A manual loop was to run until nothing is left, but there is always more.
public struct NeverIdle: Error, CustomStringConvertible {
    /// The timers that wait, in the order in which they would fire.
    public let pending: [PendingWork]
    /// How many deadlines had come.
    public let deadlines: Int
    /// A message that names them and describes what to do.
    public let description: String

    init(_ loop: Loop, after deadlines: Int) {
        pending = loop.pending
        self.deadlines = deadlines
        description = """
            \(loop) is not idle after \(deadlines) deadlines, at \(loop.elapsedTime): a timer repeats, \
            or its work arms the next one, or work makes more work for the same instant, maybe by way \
            of tasks. Cancel it, or advance by a time. \
            \(loop.pendingDescription)
            """
    }
}
