// SPDX-License-Identifier: Apache-2.0
/// Two lines of a file between which a program writes.
package struct Marks: Sendable {
    package let begin: String
    package let end: String

    package init(_ begin: String, _ end: String) {
        self.begin = begin
        self.end = end
    }

    /// The place of the table of budgets, in docs/PERFORMANCE.md.
    package static let budgets = Marks("<!-- budgets -->", "<!-- /budgets -->")

    /// `text` with `content` between the marks, and nothing else. Throws if it lacks them.
    package func replace(in text: String, with content: String) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.firstIndex(where: { $0 == begin }),
            let last = lines[first...].firstIndex(where: { $0 == end })
        else {
            throw BenchFailure("the file has no lines '\(begin)' and '\(end)'")
        }
        return (lines[...first] + ["", content[...], ""] + lines[last...]).joined(separator: "\n")
    }
}
