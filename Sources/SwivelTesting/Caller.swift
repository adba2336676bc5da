// SPDX-License-Identifier: Apache-2.0
internal import SwivelCore

/// A test's call, and its line: the message of a trap shows both.
struct Caller: Sendable {
    let name: StaticString
    private let file: StaticString
    private let line: UInt

    /// Without a position, as a property has none: the library's.
    init(_ name: StaticString, _ file: StaticString = #fileID, _ line: UInt = #line) {
        self.name = name
        self.file = file
        self.line = line
    }

    /// Stops the program.
    func trap(_ message: String) -> Never { SwivelCore.trap(message, file: file, line: line) }
}
