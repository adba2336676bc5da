// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The text that the process writes to its standard error output.
package final class Errors: Sendable {
    private let source: Int32

    package init() {
        var ends: [Int32] = [0, 0]
        require(pipe(&ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0, "no pipe")
        source = ends[0]
    }

    /// The next line, once it is there.
    package func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(source, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
