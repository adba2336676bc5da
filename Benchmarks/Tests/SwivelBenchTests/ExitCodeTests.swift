// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
@testable internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

/// The table of exit codes in Benchmarks/README.md, as far as nothing has to be measured.
struct ExitCodeTests {
    /// The exit code of a command whose files lie in a folder of their own, named by `@`.
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

    private static func budgets(must: Double) throws -> Data {
        var budget = Samples.budget
        budget.must = must
        return try JSONEncoder().encode(Budgets([budget]))
    }

    private static func slower(by factor: Double) throws -> Data {
        try Samples.report { row in
            row.ratio = row.ratio.map { $0 / factor }
            row.ratios = row.ratios?.map { $0 / factor }
        }.json()
    }

    @Test func compareDistinguishesWorseFromTheSame() throws {
        let same = try Samples.report().json()
        let slower = try Self.slower(by: 1.3)
        let compare = ["compare", "@a", "@b"]
        #expect(try code(compare, ["a": same, "b": same]) == 0)
        #expect(try code(compare, ["a": same, "b": slower]) == 1)
        #expect(try code(compare, ["a": slower, "b": same]) == 0)
        #expect(try code(compare, ["a": same, "b": Self.slower(by: 1.05)]) == 0)
    }

    @Test func compareThatCannotJudgeIsNoSuccess() throws {
        let same = try Samples.report().json()
        let two = try Samples.report { $0.ratios = [50, 50] }.json()
        let other = try Samples.report { $0.variant = "1k" }.json()
        for odd in [two, other] {
            #expect(try code(["compare", "@a", "@b"], ["a": odd, "b": same]) == 2)
        }
        let elsewhere = ["compare", "@a", "@b", "--scenario", "post"]
        #expect(try code(elsewhere, ["a": same, "b": same]) == 2)
    }

    @Test func compareOfABrokenSecondRunIsNoSuccess() throws {
        var broken = Samples.report()
        broken.failures = ["churn / 1k: Swivel: fired: 1, not 2"]
        let files = try ["a": Samples.report().json(), "b": broken.json()]
        #expect(try code(["compare", "@a", "@b"], files) == 2)
        #expect(try code(["compare", "@b", "@a"], files) == 0)
        #expect(try code(["compare", "@b", "@b"], files) == 0)
    }

    @Test func checkDistinguishesMissedFromHeld() throws {
        let rows = try Samples.report().json()
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        #expect(try code(check, ["rows": rows, "budgets": Self.budgets(must: 50)]) == 0)
        #expect(try code(check, ["rows": rows, "budgets": Self.budgets(must: 51)]) == 1)
        let few = try Samples.report { $0.rounds = 4 }.json()
        #expect(try code(check, ["rows": few, "budgets": Self.budgets(must: 50)]) == 2)
        let absent = try Samples.report { $0.rival = "NIO" }.json()
        #expect(try code(check, ["rows": absent, "budgets": Self.budgets(must: 50)]) == 2)
        var none = Samples.report([])
        none.missing = [Note("DispatchSource", "build it")]
        let files = try ["rows": none.json(), "budgets": Self.budgets(must: 50)]
        #expect(try code(check, files) == 2)
    }

    @Test func checkOfNothingIsAWrongCommandLine() throws {
        let files = try ["rows": Samples.report().json(), "budgets": Self.budgets(must: 50)]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        for option in [
            ["--variant", "typo"], ["--rivals", "libev"], ["--scenario", "post"],
            ["--rounds", "9"], ["--full"], ["--quick"],
        ] {
            #expect(try code(check + option, files) == 64, "\(option)")
        }
        #expect(try code(check + ["--scenario", "churn"], files) == 0)
    }

    @Test func badFilesAreAWrongCommandLine() throws {
        let rows = try Samples.report().json()
        let text = Data("no JSON".utf8)
        for command in [
            ["check", "--json", "@rows", "--budgets"], ["page", "--html", "@h"],
            ["compare", "@rows"],
        ] {
            #expect(try code(command + ["@text"], ["rows": rows, "text": text]) == 64)
            #expect(try code(command + ["@absent"], ["rows": rows]) == 64)
        }
        let files = try ["rows": rows, "budgets": Self.budgets(must: 50), "page": text]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets"]
        #expect(try code(check + ["--into", "@page"], files) == 64)
    }

    @Test func theGatesGoBetweenTheMarks() throws {
        let page = FileManager.default.temporaryDirectory
            .appending(path: "swivel-page-\(UUID().uuidString).md")
        defer { try? FileManager.default.removeItem(at: page) }
        let (begin, end) = (Marks.budgets.begin, Marks.budgets.end)
        try Data("before\n\(begin)\nold\n\(end)\nafter\n".utf8).write(to: page)
        let files = try ["rows": Samples.report().json(), "budgets": Self.budgets(must: 50)]
        let check = ["check", "--json", "@rows", "--budgets", "@budgets", "--into", page.path]
        #expect(try code(check, files) == 0)
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.hasPrefix("before\n\(begin)\n\nAll 1 gates hold."))
        let line = "| churn, 100k, cpu | DispatchSource | ≥ 50× | 50 | held |"
        #expect(text.contains("\n\(line)\n\n\(end)\nafter\n"))
    }
}
