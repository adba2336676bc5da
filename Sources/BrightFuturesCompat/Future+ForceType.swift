// SPDX-License-Identifier: Apache-2.0
public import Swivel
internal import SwivelCore

extension Future {
    /// The same future under other types, which the value and the error must really have. A value
    /// or an error of another type stops the program.
    ///
    /// **Thread:** any. The casts run in the thread that completes.
    /// - Parameters:
    ///   - file: The place of the call, for the message of a trap.
    ///   - line: See `file`.
    /// - Returns: A future that completes as this one does.
    /// - Complexity: O(1), two allocations.
    @available(*, deprecated, message: "use 'map(on: .immediate)' and 'mapError(on: .immediate)'")
    public func forceType<U: Sendable, E: Error>(
        file: StaticString = #fileID, line: UInt = #line
    ) -> Future<U, E> {
        map(on: .immediate) { cast($0, to: U.self, file: file, line: line) }
            .mapError(on: .immediate) { cast($0, to: E.self, file: file, line: line) }
    }
}

private func cast<From, To>(_ value: From, to _: To.Type, file: StaticString, line: UInt) -> To {
    guard let cast = value as? To else {
        trap(
            "forceType() to \(To.self) of a value that is a \(type(of: value as Any)): \(value)",
            file: file, line: line)
    }
    return cast
}
