// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// The destination of `Swivel.Future.debug(_:logger:file:line:function:context:)`.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public protocol LoggerType: Sendable {
    /// Writes a line.
    ///
    /// **Thread:** any; `debug` calls it on its context.
    /// - Parameter message: The line.
    /// - Complexity: The logger's own.
    func log(message: String)
    /// Returns the line for a future that has completed.
    ///
    /// **Thread:** any; `debug` calls it on its context.
    /// - Parameters:
    ///   - future: A future with the result.
    ///   - identifier: Names the future; without one, the call site does.
    ///   - file: The file of the call of `debug`.
    ///   - line: The line of that call.
    ///   - function: The function with that call.
    /// - Complexity: The logger's own.
    func message<Value, Failure>(
        for future: Future<Value, Failure>, with identifier: String?, file: String, line: UInt,
        function: String
    ) -> String
}

@available(*, deprecated)
extension LoggerType {
    /// Returns a line that names the future, or else the place of the call.
    ///
    /// **Thread:** any.
    /// - Parameters:
    ///   - future: Not used.
    ///   - identifier: Names the future; without one, the call site does.
    ///   - file: The file of the call of `debug`, with its path.
    ///   - line: The line of that call.
    ///   - function: The function with that call.
    /// - Complexity: O(n) in the length of the line.
    public func message<Value, Failure>(
        for future: Future<Value, Failure>, with identifier: String?, file: String, line: UInt,
        function: String
    ) -> String {
        if let identifier { return "Future \(identifier) completed" }
        let name = file.split(separator: "/").last ?? ""
        return "\(name) at line \(line), func: \(function) - future completed"
    }
}

/// The logger of a call that names none.
@available(*, deprecated)
private struct PrintingLogger: LoggerType {
    func log(message: String) { print(message) }
}

@available(*, deprecated)
extension Future {
    /// Logs when this future completes. See `Future.debug(_:file:line:_:)`.
    ///
    /// **Thread:** any. `logger` is called on `context`.
    /// - Parameters:
    ///   - identifier: Names the future; without one, the call site does.
    ///   - logger: Makes the line and writes it; `nil`: prints it.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    ///   - function: The function with the call.
    ///   - context: Where the logger is called.
    /// - Returns: The future with the same result, which completes after the line was written.
    /// - Complexity: As `Future.andThen(on:_:)`.
    @_disfavoredOverload
    public func debug(
        _ identifier: String? = nil, logger: (any LoggerType)? = nil, file: String = #file,
        line: UInt = #line, function: String = #function,
        context: any ExecutionContext = defaultContext()
    ) -> Future {
        let logger = logger ?? PrintingLogger()
        return andThen(on: context) { result in
            // Not this future, which would keep itself until it is completed.
            let completed = Future(result: result)
            // This future's failure has been observed.
            _ = completed.result
            logger.log(
                message: logger.message(
                    for: completed, with: identifier, file: file, line: line, function: function))
        }
    }
}
