// SPDX-License-Identifier: Apache-2.0
public import Swivel

/// The destination of ``Swivel/Future/debug(_:logger:file:line:function:context:)``.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public protocol LoggerType: Sendable {
    /// Writes a line.
    func log(message: String)
    /// Returns the line for a future that has completed.
    func message<Value, Failure>(
        for future: Future<Value, Failure>, with identifier: String?, file: String, line: UInt,
        function: String
    ) -> String
}

@available(*, deprecated)
extension LoggerType {
    /// Returns a line that names the future, or else the place of the call.
    public func message<Value, Failure>(
        for future: Future<Value, Failure>, with identifier: String?, file: String, line: UInt,
        function: String
    ) -> String {
        if let identifier {
            return "Future \(identifier) completed"
        }
        let name = file.split(separator: "/").last ?? ""
        return "\(name) at line \(line), func: \(function) - future completed"
    }
}

/// A logger that prints.
@available(*, deprecated, message: "pass a closure to 'debug(_:_:)'")
public struct Logger: LoggerType {
    /// Makes a logger.
    public init() {}

    /// Prints the line.
    public func log(message: String) { print(message) }
}

@available(*, deprecated)
extension Future {
    /// Logs when this future completes. See ``Future/debug(_:file:line:_:)``.
    @_disfavoredOverload
    public func debug(
        _ identifier: String? = nil, logger: any LoggerType = Logger(), file: String = #file,
        line: UInt = #line, function: String = #function,
        context: any ExecutionContext = defaultContext()
    ) -> Future {
        andThen(on: context) { _ in
            logger.log(
                message: logger.message(
                    for: self, with: identifier, file: file, line: line, function: function))
        }
    }
}
