// SPDX-License-Identifier: Apache-2.0
#if Logging
public import Logging
internal import SwivelCore
public import SwivelFutures

extension Future where Value == Never, Failure == Never {
    /// Logs each future that has failed and is released before anyone has heard of it.
    ///
    /// This sets the observer of `Future.onUnobservedFailure(_:)`, of which a program has one: it
    /// replaces another, and `Future.onUnobservedFailure(nil)` ends it. Call it once, at the start.
    ///
    /// **Thread:** any. The logger is called on the thread that releases the future.
    /// - Parameters:
    ///   - logger: Gets the error. If the call that made the future is known, it is the place of
    ///     the message; else that is the call of this function.
    ///   - level: The level.
    ///   - file: The place of the call.
    ///   - function: See `file`.
    ///   - line: See `file`.
    /// - Complexity: O(1). From now on, making and releasing a future take a lock.
    public static func logUnobservedFailures(
        to logger: Logger, level: Logger.Level = .error,
        file: String = #fileID, function: String = #function, line: UInt = #line
    ) {
        onUnobservedFailure { failure in
            logger.log(
                level: level, "a future has failed, and nobody has heard of it",
                error: failure.error, source: "Swivel",
                file: failure.file.map { "\($0)" } ?? file, function: function,
                line: failure.file == nil ? line : failure.line)
        }
    }
}
#endif
