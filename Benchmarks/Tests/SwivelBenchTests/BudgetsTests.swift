// SPDX-License-Identifier: Apache-2.0
@testable internal import BenchKit
internal import Foundation
internal import Testing

@testable internal import swivel_bench

struct BudgetsTests {
    private func budgets() throws -> [Budget] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Budgets.json")
        return try Budgets(json: Data(contentsOf: file)).budgets
    }

    @Test func theGatesAreThoseOfTheDesignAndNoOthers() throws {
        let signs: [Budget.Form: String] = [
            .ratioAtLeast: ">=", .shareAtMost: "<= x", .valueAtMost: "<=", .valueBelow: "<",
            .valueExactly: "=",
        ]
        let lines = try budgets().map { budget in
            [
                budget.scenario, budget.variant, budget.metric,
                "\(budget.rival) \(signs[budget.form] ?? "") \(Figures.short(budget.must))",
            ].joined(separator: " | ")
        }
        #expect(lines.sorted() == DesignTable.rows.sorted())
        #expect(lines.count <= 90)
        #expect(Set(try budgets().map(\.key)).count == lines.count)
    }

    @Test func everyGateHasItsRowInQuickAndFullRuns() throws {
        for plan in [Plan(isQuick: true), Plan(isQuick: false)] {
            let keys = Catalogue.all.flatMap { $0.contests(plan) }.flatMap(\.rowKeys)
            #expect(Set(keys).count == keys.count, "a row is made twice")
            // A build with all rivals, as make bench-test makes it, holds every gate.
            let missing = LineUp.missing.map(\.name)
            for budget in try budgets() where !missing.contains(budget.rival) {
                if plan.isQuick && budget.notQuick == true { continue }
                if budget.metric == "allocations", !Allocations.areCounted { continue }
                if budget.metric == "system calls", !SystemCalls.areCounted { continue }
                #expect(keys.contains(budget.key), "no such row: \(budget.key)")
            }
        }
    }
}
