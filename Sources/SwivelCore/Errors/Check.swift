// SPDX-License-Identifier: Apache-2.0

/// Traps on a programmer's mistake, with a message that describes the mistake and how to correct
/// it.
///
/// Swift's `precondition` prints nothing in release builds; this prints in both.
@inline(__always)
package func check(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) {
    if !condition() {
        trap(message(), file: file, line: line)
    }
}

/// The cold half of ``check(_:_:file:line:)``.
@inline(never)
package func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("Swivel: \(message)", file: file, line: line)
}
