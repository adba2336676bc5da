// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The lines that come through a descriptor, which does not block.
public struct Lines: Sendable {
    private var rest: [UInt8] = []

    /// No lines yet.
    public init() {}

    /// Reads what is there.
    ///
    /// - Returns: The lines that are complete; `nil` at the end.
    public mutating func read(_ descriptor: Int32) -> [String]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else { return nil }
        rest += bytes[..<count]
        var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
        let last = lines.removeLast()
        defer { rest = Array(last) }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
