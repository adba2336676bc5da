// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// The destination of `Swivel.Future.debug(_:logger:file:line:function:context:)`.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public protocol LoggerType: Sendable {
    /// Writes the line `message`. **Thread:** any; `debug` calls it on its context.
    /// - Complexity: The logger's own.
    func log(message: String)
    /// Returns the line for a completed `future`, which `identifier` names; without one the call of
    /// `debug` does: `file`, a path, `line` and `function`.
    ///
    /// **Thread:** any; `debug` calls it on its context.
    /// - Complexity: The logger's own.
    func message<Value, Failure>(
        for future: Future<Value, Failure>, with identifier: String?, file: String, line: UInt,
        function: String
    ) -> String
}

@available(*, deprecated)
extension LoggerType {
    /// Returns a line with `identifier`, or else with `function`, `line` and the last part of
    /// `file`. The `future` is not used. **Thread:** any.
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
    /// Logs when this future completes. See `Future.debug(_:file:line:_:)`. The `logger` makes the
    /// line, from `identifier`, or `file` and `function`, and writes it; `nil` prints it.
    ///
    /// **Thread:** any. `logger` is called on `context`.
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
