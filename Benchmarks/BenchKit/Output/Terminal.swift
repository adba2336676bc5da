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
        let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 0
        return told > 0 ? told : .max
    }
}
