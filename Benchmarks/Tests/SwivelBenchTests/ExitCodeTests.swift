// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

/// The table of exit codes in Benchmarks/README.md, as far as nothing has to be measured.
struct ExitCodeTests {
    private static let row = Row(
        scenario: "churn", variant: "100k", metric: "cpu", unit: "ns/op", subject: "Swivel",
        rival: "DispatchSource", subjectMedian: 60, rivalMedian: 3_000, ratio: 50, rounds: 5,
        spread: 0.03, ratios: [49, 50, 51, 50.5, 49.5])

    private static func report(_ change: (inout Row) -> Void = { _ in }) -> Report {
        var row = row
        change(&row)
        return Report.sample([row])
    }

    private static func budgets(must: Double) throws -> Data {
        let budget = Budget(
            scenario: "churn", variant: "100k", metric: "cpu", rival: "DispatchSource",
            form: .ratioAtLeast, must: must)
        return try JSONEncoder().encode(Budgets([budget]))
    }

    /// The exit code of a command whose files lie in a folder of their own.
    private func code(_ arguments: [String], _ files: [String: Data] = [:]) throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "swivel-exit-codes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files { try content.write(to: folder.appending(path: name)) }
        let paths = arguments.map { $0.replacing("@", with: "\(folder.path)/") }
        do {
            var command = try SwivelBench.parseAsRoot(paths)
            try command.run()
            return 0
        } catch {
            return SwivelBench.exitCode(for: error).rawValue
        }
    }

    private static func slower(by factor: Double) -> Report {
        report { row in
            row.ratio = row.ratio.map { $0 / factor }
            row.ratios = row.ratios?.map { $0 / factor }
        }
    }

    @Test func compareTellsWorseFromTheSame() throws {
        let same = try Self.report().json()
        let slower = try Self.slower(by: 1.3).json()
        let compare = ["compare", "@a", "@b"]
        #expect(try code(compare, ["a": same, "b": same]) == 0)
        #expect(try code(compare, ["a": same, "b": slower]) == 1)
        #expect(try code(compare, ["a": slower, "b": same]) == 0)
    }

    @Test func compareThatCannotJudgeIsNoSuccess() throws {
        let two = try Self.report { $0.ratios = [50, 50] }.json()
        let old = try Self.report { $0.ratios = nil }.json()
        let other = try Self.report { $0.variant = "1k" }.json()
        let same = try Self.report().json()
        for odd in [two, old, other] {
            #expect(try code(["compare", "@a", "@b"], ["a": odd, "b": same]) == 2)
        }
        let elsewhere = ["compare", "@a", "@b", "--scenario", "post"]
        #expect(try code(elsewhere, ["a": same, "b": same]) == 2)
    }

    @Test func compareOfABrokenSideIsNoSuccess() throws {
        let same = try Self.report().json()
        var broken = Self.report()
        broken.failures = ["churn / 1k: Swivel: fired: 1, not 2"]
        let files = try ["a": same, "b": broken.json()]
        #expect(try code(["compare", "@a", "@b"], files) == 2)
        #expect(try code(["compare", "@b", "@a"], files) == 0)
        #expect(try code(["compare", "@b", "@b"], files) == 0)
        // It fails on both sides, and counts something else.
        broken.failures = ["churn / 1k: Swivel: fired: 0, not 2"]
        let both = try ["a": files["b"] ?? Data(), "b": broken.json()]
        #expect(try code(["compare", "@a", "@b"], both) == 0)
    }

    @Test func compareOfFilesThatAreNoRunsIsAWrongCommandLine() throws {
        let same = try Self.report().json()
        let text = Data("no JSON".utf8)
        #expect(try code(["compare", "@a", "@b"], ["a": same, "b": text]) == 64)
        #expect(try code(["compare", "@a", "@absent"], ["a": same]) == 64)
        for option in [["--rounds", "9"], ["--turns", "2"], ["--full"], ["--scratch", "@s"]] {
            #expect(try code(["compare", "@a", "@b"] + option, ["a": same, "b": same]) == 64)
        }
    }

    @Test func checkTellsMissedFromHeld() throws {
        let rows = try Self.report().json()
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        let held = try ["rows": rows, "budgets": Self.budgets(must: 50)]
        #expect(try code(check, held) == 0)
        #expect(try code(check, ["rows": rows, "budgets": Self.budgets(must: 51)]) == 1)
        let few = try Self.report { $0.rounds = 4 }.json()
        #expect(try code(check, ["rows": few, "budgets": Self.budgets(must: 50)]) == 2)
        let absent = try Self.report { $0.rival = "NIO" }.json()
        #expect(try code(check, ["rows": absent, "budgets": Self.budgets(must: 50)]) == 2)
    }

    @Test func checkOfNothingIsAWrongCommandLine() throws {
        let files = try ["rows": Self.report().json(), "budgets": Self.budgets(must: 50)]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        for option in [
            ["--variant", "typo"], ["--rivals", "libev"], ["--scenario", "post"],
            ["--rounds", "9"], ["--full"], ["--limit", "3"], ["--quick"], ["--no-curves"],
        ] {
            #expect(try code(check + option, files) == 64, "\(option)")
        }
        #expect(try code(check + ["--scenario", "churn"], files) == 0)
    }

    @Test func checkOfAbsentRivalsAloneJudgesNothing() throws {
        var report = Self.report()
        report.rows = []
        report.missing = [MissingRival("DispatchSource", "build it")]
        let files = try ["rows": report.json(), "budgets": Self.budgets(must: 50)]
        #expect(try code(["check", "--json", "@rows", "--budgets", "@budgets"], files) == 2)
    }

    @Test func badFilesAreAWrongCommandLine() throws {
        let rows = try Self.report().json()
        let text = Data("no JSON".utf8)
        for command in [
            ["check", "--json", "@rows", "--budgets"],
            ["page", "@rows", "--html", "@h", "--budgets"],
            ["run", "--quick", "--scenario", "churn", "--html", "@h", "--budgets"],
        ] {
            #expect(try code(command + ["@text"], ["rows": rows, "text": text]) == 64)
            #expect(try code(command + ["@absent"], ["rows": rows]) == 64)
        }
        let files = try ["rows": rows, "budgets": Self.budgets(must: 50), "page": text]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        #expect(try code(check + ["--into", "@page"], files) == 64)
        #expect(try code(check + ["--into", "@absent"], files) == 64)
        #expect(try code(check + ["--markdown", "@no/such/folder"], files) == 64)
    }

    @Test func theTableGoesBetweenTheMarks() throws {
        let page = FileManager.default.temporaryDirectory
            .appending(path: "swivel-page-\(UUID().uuidString).md")
        defer { try? FileManager.default.removeItem(at: page) }
        let (begin, end) = (Marks.budgets.begin, Marks.budgets.end)
        try Data("before\n\(begin)\nold\n\(end)\nafter\n".utf8).write(to: page)
        let files = try ["rows": Self.report().json(), "budgets": Self.budgets(must: 50)]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets", "--into", page.path]
        #expect(try code(check, files) == 0)
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.hasPrefix("before\n\(begin)\n\nAll 1 budgets hold; 0 of 0 aims are reached."))
        let line = "| churn, 100k, cpu | DispatchSource | ≥ 50× |  | 50 | held |"
        #expect(text.contains("\n\(line)\n\n\(end)"))
        #expect(text.hasSuffix("\nafter\n"))
    }

    /// The rows are on the disk before anything else can go wrong.
    @Test func theRowsAreWrittenFirst() throws {
        let json = FileManager.default.temporaryDirectory
            .appending(path: "swivel-rows-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: json) }
        let output = try Output.parse(["--json", json.path, "--html", "/no/such/folder/page.html"])
        #expect(throws: ValidationError.self) {
            try output.write(Self.report(), budgets: Budgets([]))
        }
        #expect(try Report(json: Data(contentsOf: json)) == Self.report())
    }
}
