// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct BudgetCheckTests {
    private let budgets = Budgets([Samples.budget])

    private func verdicts(_ report: Report) -> [BudgetCheck.Verdict] {
        BudgetCheck(report, against: budgets).findings.map(\.verdict)
    }

    @Test func aRowThatReachesItsAimHolds() {
        let check = BudgetCheck(Samples.report([Samples.row]), against: budgets)
        #expect(check.holds)
        #expect(check.findings.map(\.verdict) == [.aimReached])
    }

    @Test func aRowBetweenMustAndAimHolds() {
        let report = Samples.report([Samples.rowChanged { $0.ratio = 25 }])
        #expect(verdicts(report) == [.mustReached])
        #expect(BudgetCheck(report, against: budgets).holds)
    }

    @Test func aMissedBudgetFails() {
        let report = Samples.report([Samples.rowChanged { $0.ratio = 24.99 }])
        #expect(verdicts(report) == [.missed])
        #expect(!BudgetCheck(report, against: budgets).holds)
    }

    @Test func aMissingRowFails() {
        let report = Samples.report([Samples.rowChanged { $0.rival = "somebody else" }])
        #expect(verdicts(report) == [.missingRow])
        #expect(!BudgetCheck(report, against: budgets).holds)
        #expect(!BudgetCheck(Samples.report([]), against: budgets).holds)
    }

    @Test func fourRoundsFail() {
        let report = Samples.report([Samples.rowChanged { $0.rounds = 4 }])
        #expect(verdicts(report) == [.aimReached, .tooFewRounds(4)])
        #expect(!BudgetCheck(report, against: budgets).holds)
    }

    @Test func fourRoundsOfARowWithoutABudgetFailToo() {
        let other = Samples.rowChanged {
            $0.metric = "wall"
            $0.rounds = 4
        }
        let report = Samples.report([Samples.row, other])
        #expect(verdicts(report) == [.aimReached, .tooFewRounds(4)])
    }

    @Test func anUnassertedCountFails() {
        let report = Samples.report([Samples.row], asserted: [])
        #expect(verdicts(report) == [.aimReached, .unasserted])
        #expect(!BudgetCheck(report, against: budgets).holds)
    }

    @Test func aShareIsTheRatioTheOtherWayRound() {
        var budget = Samples.budget
        budget.form = .shareAtMost
        budget.must = 0.75
        budget.aim = 0.6
        let good = Samples.report([Samples.rowChanged { $0.ratio = 1.4 }])
        let bad = Samples.report([Samples.rowChanged { $0.ratio = 1.3 }])
        #expect(BudgetCheck(good, against: Budgets([budget])).holds)
        #expect(!BudgetCheck(bad, against: Budgets([budget])).holds)
    }

    @Test func valuesAreTheSubjectsOwn() {
        var budget = Samples.budget
        let report = Samples.report([Samples.row])
        for (form, must, holds) in [
            (.valueAtMost, 60, true), (.valueAtMost, 59, false), (.valueBelow, 60, false),
            (.valueBelow, 61, true), (.valueAtLeast, 60, true),
            (.valueAtLeast, 61, false), (.valueExactly, 60, true), (.valueExactly, 61, false),
        ] as [(Budget.Form, Double, Bool)] {
            budget.form = form
            budget.must = must
            budget.aim = nil
            #expect(BudgetCheck(report, against: Budgets([budget])).holds == holds)
        }
    }

    @Test func aRatioBeyondNumbersReachesEveryRatioBudget() {
        let report = Samples.report([Samples.rowChanged { $0.ratio = nil }])
        #expect(BudgetCheck(report, against: budgets).holds)
    }
}
