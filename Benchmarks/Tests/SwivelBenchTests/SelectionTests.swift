// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BenchKit
internal import Rivals
internal import Testing

@testable internal import swivel_bench

/// On a machine where no child is built, these only see that nothing else is left out.
struct SelectionTests {
    /// The names of the rivals of a run with these arguments, those of its curves, and those passed over.
    private func rivals(
        _ arguments: [String], _ plan: Plan
    ) throws -> (contests: Set<String>, curves: Set<String>, passedOver: [String]) {
        let selection = try Selection.parse(arguments)
        let contests = try selection.contests(plan).flatMap(\.rivals).map(\.name)
        let curves = selection.sweeps(plan).flatMap(\.subjects).map(\.name)
        return (Set(contests), Set(curves), selection.passedOver.map(\.name))
    }

    private let children = Set(ChildRival.present.map(\.name))

    @Test func aQuickRunNamesTheChildrenThatItPassesOver() throws {
        let all = try rivals([], Plan(isQuick: true))
        #expect(children.isSubset(of: all.contests) && children.isSubset(of: all.curves))
        #expect(all.passedOver.isEmpty)
        let quick = try rivals(["--quick"], Plan(isQuick: true))
        #expect(quick.contests == all.contests.subtracting(children))
        #expect(quick.curves == all.curves.subtracting(children))
        #expect(Set(quick.passedOver) == children)
    }

    @Test func aQuickRunHasTheChildrenThatItIsAskedFor() throws {
        for name in children {
            let asked = try rivals(["--quick", "--rivals", name], Plan(isQuick: true))
            #expect(asked.contests == [name] && asked.passedOver.isEmpty)
        }
    }

    @Test func unknownVariantsAreRefusedAsUnknownScenariosAre() throws {
        for arguments in [
            ["--variant", "typo"], ["--scenario", "typo"], ["--rivals", "typo"],
            // A variant of another scenario.
            ["--scenario", "churn", "--variant", "idle machine"],
        ] {
            #expect(throws: (any Error).self) { try Selection.parse(arguments) }
            #expect(throws: (any Error).self) { try Check.parse(arguments) }
            #expect(throws: (any Error).self) { try Compare.parse(["a", "b"] + arguments) }
        }
        #expect(try Choice.parse(["--variant", "idle machine"]).variants == ["idle machine"])
    }

    @Test func optionsAreHandedOnAsTheyCame() throws {
        let arguments = [
            "--scenario", "churn", "--scenario", "post", "--variant", "100k", "--rivals",
            "dispatch", "--rounds", "7",
        ]
        #expect(try Choice.parse(arguments).arguments == arguments)
        #expect(try Choice.parse([]).arguments == [])
    }

    @Test func aCurveOrContestLeavesOutThoseNamed() {
        for sweep in Growth.sweeps(Plan(isQuick: true)) {
            let names = sweep.subjects.map(\.name)
            #expect(sweep.leaving(out: [names[1]]).subjects.map(\.name) == [names[0]] + names[2...])
            #expect(sweep.leaving(out: []).sizes == sweep.sizes)
        }
        for contest in ScheduleCancel.contests(Plan(isQuick: true)) {
            let names = contest.rivals.map(\.name)
            #expect(contest.leaving(out: [names[0]]).rivals.map(\.name) == Array(names[1...]))
        }
    }
}
