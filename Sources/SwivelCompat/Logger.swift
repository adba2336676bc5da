// SPDX-License-Identifier: Apache-2.0
public import BrightFuturesCompat

/// A logger that prints.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public struct Logger: LoggerType {
    /// Makes a logger.
    ///
    /// **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public init() {}

    /// Prints the line.
    ///
    /// **Thread:** any. Blocks as `print` does.
    /// - Parameter message: The line.
    /// - Complexity: O(n) in the length of the line.
    public func log(message: String) { print(message) }
}
