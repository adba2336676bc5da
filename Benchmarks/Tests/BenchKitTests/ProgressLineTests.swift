// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct ProgressLineTests {
    /// A line that wraps stays where it is when the next one is written over it.
    @Test(arguments: [(80, 79), (106, 105), (Int.max, 105), (1, 0), (0, 0)])
    func aLineIsNarrowerThanItsTerminal(_ width: Int, _ expected: Int) {
        let text = String(repeating: "·", count: 105)
        #expect(ProgressLine.cut(text, to: width).count == expected)
    }

    @Test(
        arguments: [
            ("80", 80), ("0", nil), ("-5", nil), ("wide", nil), (nil, nil),
        ] as [(String?, Int?)])
    func aVariableWithoutAWidthIsNoLimit(_ text: String?, _ expected: Int?) {
        #expect(Terminal.columns(text) == expected ?? .max)
    }

    @Test func theTimeLeftIsThatOfTheRest() {
        #expect(ProgressLine.left(done: 0, of: 10, after: 0) == "0 % · ")
        #expect(ProgressLine.left(done: 5, of: 10, after: 5_000_000_000) == "50 %, 5 s left · ")
        #expect(ProgressLine.left(done: 1, of: 0, after: 1) == "")
    }
}
