// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

struct ReadmeTests {
    private static let report: Report = {
        let rows = ReadmeTables.keys.map { key in
            let parts = key.components(separatedBy: " / ")
            return Row(
                scenario: parts[0], variant: parts[1], metric: parts[2], unit: "ns/op",
                subject: "Swivel", rival: parts[3], subjectMedian: 60, rivalMedian: 3_000,
                ratio: 50, rounds: 5, spread: 0.03)
        }
        return Report(
            machine: .init(
                processor: "a processor", cores: 2, memoryGiB: 8, system: "Linux",
                architecture: "x86_64"),
            versions: .init(swift: "6.3.1", libuv: "1.44.2", swivel: "0.1.0"),
            commit: "0123456789ab", date: "2026-01-01T00:00:00Z", quick: true,
            asserted: ReadmeTables.keys, rows: rows)
    }()

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
