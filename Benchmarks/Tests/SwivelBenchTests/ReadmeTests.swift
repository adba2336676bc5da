// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

struct ReadmeTests {
    private static let report = Report.sample(
        ReadmeTables.keys.map { key in
            let parts = key.components(separatedBy: " / ")
            return Row(
                scenario: parts[0], variant: parts[1], metric: parts[2], unit: "ns/op",
                subject: "Swivel", rival: parts[3], subjectMedian: 60, rivalMedian: 3_000,
                ratio: 50, rounds: 5, spread: 0.03)
        })

    @Test func aQuickRunHasTheRowsOfReadme() {
        let keys = Catalogue.all.flatMap { $0.contests(Plan(isQuick: true)) }.flatMap(\.rowKeys)
        for key in ReadmeTables.keys {
            #expect(keys.contains(key), "no such row: \(key)")
        }
    }

    @Test func aRowIsALine() throws {
        let tables = try ReadmeTables.markdown(Self.report)
        #expect(tables.contains("| the same with 1 ms of leeway | 60 ns | 3 µs | 50 × |"))
        #expect(tables.components(separatedBy: "50 ×").count == ReadmeTables.keys.count + 1)
    }

    @Test func aRunWithoutARowIsRefused() {
        var report = Self.report
        report.rows.removeLast()
        #expect(throws: BenchFailure.self) { try ReadmeTables.markdown(report) }
    }

    /// The README of this checkout has the place.
    @Test func readmeHasThePlace() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let changed = try ReadmeTables.marks.replace(in: text, with: "| tables |")
        #expect(changed.count < text.count)
    }
}
