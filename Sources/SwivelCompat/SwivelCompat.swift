// SPDX-License-Identifier: Apache-2.0
@_exported public import AwaitKitCompat
@_exported public import BrightFuturesCompat
@_exported public import BriskCompat
@_exported public import FireflyCompat
@_exported public import SwiftAsyncCompat

/// A logger that prints.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public struct Logger: LoggerType {
    /// Makes a logger. **Thread:** any.
    /// - Complexity: O(1) without allocation.
    public init() {}

    /// Prints the line `message`. **Thread:** any. Blocks as `print` does.
    /// - Complexity: O(n) in the length of the line.
    public func log(message: String) { print(message) }
}

extension Result {
    /// The value; `nil` for a failure. **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use 'switch', or 'try? get()'")
    public var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The error; `nil` for a success. **Thread:** any.
    /// - Complexity: O(1).
    @available(*, deprecated, message: "use 'switch'")
    public var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
