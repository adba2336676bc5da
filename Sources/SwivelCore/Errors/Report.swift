// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Tells, in debug builds, of what the program can live with and its author should know: one line on
/// standard error, as a trap's, and the program goes on. Release builds say nothing.
package func report(
    _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    #if DEBUG
    var text = "\(file):\(line): Swivel: \(message())\n"
    text.withUTF8 { bytes in
        _ = write(2, bytes.baseAddress, bytes.count)
    }
    #endif
}
