// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct MarksTests {
    @Test func contentTakesThePlaceOfTheFormerOne() throws {
        let marks = Marks.budgets
        let text = "before\n\(marks.begin)\n\n| old |\n\n\(marks.end)\nafter\n"
        let replaced = try marks.replace(in: text, with: "| new |")
        #expect(replaced == text.replacing("old", with: "new"))
        #expect(try marks.replace(in: replaced, with: "| new |") == replaced)
    }

    @Test(arguments: ["", "<!-- budgets -->\n", "<!-- /budgets -->\n<!-- budgets -->\n"])
    func aFileWithoutThePlaceIsRefused(_ text: String) {
        #expect(throws: BenchFailure.self) { try Marks.budgets.replace(in: text, with: "") }
    }
}
