// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The terminal that the output goes to.
package enum Terminal {
    /// Its width in columns. Without a terminal it is `COLUMNS`, and without that no limit.
    package static var width: Int { width(of: STDOUT_FILENO) }

    /// The same of another stream.
    static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return columns(ProcessInfo.processInfo.environment["COLUMNS"])
    }

    /// The width that a variable gives. Zero and less are no width.
    static func columns(_ text: String?) -> Int {
        guard let count = text.flatMap({ Int($0) }), count > 0 else { return .max }
        return count
    }
}
