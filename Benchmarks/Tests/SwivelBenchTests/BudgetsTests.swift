// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

struct BudgetsTests {
    private func budgets() throws -> Budgets {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Budgets.json")
        return try Budgets(json: Data(contentsOf: file))
    }

    @Test func budgetsAreNoWeakerThanTheDesign() throws {
        let budgets = try budgets()
        for design in DesignTable.rows {
            let budget = try #require(budgets.budget(for: design.key), "no budget: \(design.key)")
            #expect(Self.weaknesses(of: budget, against: design).isEmpty)
        }
    }

    @Test func aWeakerMustAimOrFormIsFound() throws {
        for design in DesignTable.rows {
            var weaker = design
            switch design.form {
            case .ratioAtLeast, .valueAtLeast: weaker.must *= 0.99
            case .shareAtMost, .valueAtMost, .valueBelow: weaker.must *= 1.01
            case .valueExactly: weaker.must += 1
            }
            #expect(Self.weaknesses(of: weaker, against: design) == ["must"])
            var other = design
            other.form = design.form == .valueAtMost ? .valueAtLeast : .valueAtMost
            #expect(Self.weaknesses(of: other, against: design) == ["form"])
            if design.aim != nil {
                var aimless = design
                aimless.aim = nil
                #expect(Self.weaknesses(of: aimless, against: design) == ["aim"])
            }
        }
    }

    @Test func everyBudgetHasItsRowInChecksAndInQuickAndFullRuns() throws {
        let quick = Plan(isQuick: true), check = Plan(isQuick: true, isCheck: true)
        for plan in [quick, check, Plan(isQuick: false)] {
            // This machine may not count instructions.
            let counted = Instructions.areCounted ? [] : InstructionCounts.all
            let contests = Catalogue.all.flatMap { $0.contests(plan) } + counted
            let keys = contests.flatMap(\.rowKeys)
            #expect(Set(keys).count == keys.count, "a row is made twice")
            // A build with all rivals, as make bench-test makes it, holds every budget.
            let missing = LineUp.missing.map(\.name)
            for budget in try budgets().budgets where !missing.contains(budget.rival) {
                if plan.isBrief && budget.notQuick == true { continue }
                #expect(keys.contains(budget.key), "no such row: \(budget.key)")
            }
        }
    }

    /// DESIGN asks less of three waits beside a busy thread than of the same on an idle machine, and
    /// of nothing else.
    @Test func onlyWaitsAreHeldToOtherLimitsBesideABusyProcess() throws {
        for budget in try budgets().budgets {
            let isBackToBack = budget.scenario == "wait" && budget.variant.contains("back to back")
            #expect((budget.besideBusy != nil) == isBackToBack, "\(budget.key)")
            #expect(budget.besideBusy.map { $0 == .init(form: .shareAtMost, must: 1.5) } ?? true)
            let isIdle = ["every 2 ms", "idle machine"].contains { budget.variant.contains($0) }
            #expect((budget.onlyIdle == true) == isIdle, "\(budget.key)")
        }
    }

    @Test func noBudgetIsThereTwice() throws {
        let keys = try budgets().budgets.map(\.key)
        #expect(Set(keys).count == keys.count)
    }

    @Test func scenariosHaveNamesOfTheirOwn() {
        let names = Catalogue.all.map { $0.name }
        #expect(Set(names).count == names.count)
        #expect(Catalogue.all.allSatisfy { !$0.summary.isEmpty })
    }

    @Test func everyScenarioHasItsSource() {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for scenario in Catalogue.all {
            let file = root.appending(path: scenario.note.source)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(file.path)")
        }
    }

    @Test func theCurvesGoFromAThousandToTenMillion() {
        let sweeps = Growth.sweeps(Plan(isQuick: false))
        #expect(sweeps[0].sizes == [1_000, 10_000, 100_000, 1_000_000, 10_000_000])
        #expect(sweeps.contains { $0.axis == .producers && $0.sizes.last == 64 })
        #expect(sweeps.contains { $0.axis == .percentile })
        // Every line begins somewhere.
        for sweep in sweeps {
            for subject in sweep.subjects { #expect(subject.reaches(sweep.sizes[0])) }
        }
    }

    /// The reasons why a budget is weaker than the design's.
    private static func weaknesses(of budget: Budget, against design: Budget) -> [String] {
        guard budget.form == design.form else { return ["form"] }
        // A limit is no weaker if a figure that just reaches it reaches the design's too.
        var weak: [String] = []
        if !isNoWeaker(budget.must, than: design.must, design.form) { weak.append("must") }
        if let aim = design.aim {
            let isHeld = budget.aim.map { isNoWeaker($0, than: aim, design.form) } ?? false
            if !isHeld { weak.append("aim") }
        }
        return weak
    }

    private static func isNoWeaker(
        _ limit: Double, than design: Double, _ form: Budget.Form
    ) -> Bool {
        switch form {
        case .ratioAtLeast, .valueAtLeast: limit >= design
        case .shareAtMost, .valueAtMost, .valueBelow: limit <= design
        case .valueExactly: limit == design
        }
    }
}
