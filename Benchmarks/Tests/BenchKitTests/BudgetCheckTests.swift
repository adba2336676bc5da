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
        #expect(verdicts(report) == [.tooFewRounds(4)])
        #expect(!BudgetCheck(report, against: budgets).holds)
    }

    @Test func fewRoundsOfARowWithoutABudgetDoNotMatter() {
        let other = Samples.rowChanged {
            $0.metric = "wall"
            $0.rounds = 1
        }
        let report = Samples.report([Samples.row, other])
        #expect(verdicts(report) == [.aimReached])
    }

    @Test(arguments: ["allocations", "bytes", "left", "growth"])
    func threeRoundsOfACountAreEnough(_ metric: String) {
        var budget = Samples.budget
        budget.metric = metric
        for (rounds, verdict) in [
            (3, .aimReached), (2, .tooFewRounds(2)),
        ] as [(Int, BudgetCheck.Verdict)] {
            let row = Samples.rowChanged {
                $0.metric = metric
                $0.rounds = rounds
            }
            let check = BudgetCheck(Samples.report([row]), against: Budgets([budget]))
            #expect(check.findings.map(\.verdict) == [verdict])
        }
    }

    @Test func sleepsAreNoSuchCount() {
        #expect(!Metric.sleeps.isCount && !Metric.preemptions.isCount)
        #expect(Metric.all.allSatisfy { !$0.isCount || !$0.isTime })
    }

    @Test func anUnassertedCountFails() {
        let report = Samples.report([Samples.row], asserted: [])
        #expect(verdicts(report) == [.unasserted])
        let other = Samples.rowChanged { $0.metric = "wall" }
        let second = Samples.report([Samples.row, other], asserted: [Samples.row])
        #expect(verdicts(second) == [.aimReached, .unasserted])
        #expect(!BudgetCheck(second, against: budgets).holds)
    }

    @Test func aBudgetWithoutAnAimIsNoAimReached() {
        var aimless = Samples.budget
        aimless.aim = nil
        aimless.variant = "100k"
        var absent = Samples.budget
        absent.rival = "NIO"
        var report = Samples.report([Samples.row, Samples.rowChanged { $0.variant = "100k" }])
        report.missing = [MissingRival("NIO", "build it")]
        let check = BudgetCheck(report, against: Budgets([Samples.budget, aimless, absent]))
        #expect(check.findings.map(\.verdict) == [.aimReached, .mustReached, .missingRival])
        #expect(check.summary == "All 2 budgets hold; 1 of 1 aims are reached.")
        #expect(!check.judgesNothing)
        #expect(BudgetCheck(report, against: Budgets([absent])).judgesNothing)
    }

    @Test func theSummaryCountsThoseThatDoNotHold() {
        let report = Samples.report([Samples.rowChanged { $0.ratio = 1 }])
        #expect(
            BudgetCheck(report, against: budgets).summary
                == "1 of 1 do not hold; 0 of 1 aims are reached.")
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

    @Test func aRowThatTakesTooLongIsNoFaultOfAQuickRun() {
        var budget = Samples.budget
        budget.notQuick = true
        var report = Samples.report([])
        for (isQuick, failures, verdict) in [
            (true, [], BudgetCheck.Verdict.leftOut), (false, [], .missingRow),
            (true, ["\(budget.scenario) / \(budget.variant): no memory"], .missingRow),
        ] {
            (report.quick, report.failures) = (isQuick, failures)
            let check = BudgetCheck(report, against: Budgets([budget]))
            #expect(check.findings.map(\.verdict) == [verdict])
            #expect(check.holds == (verdict == .leftOut))
        }
    }

    @Test func instructionsAreJudgedWhereTheProcessorTellsThem() {
        var budget = Samples.budget
        budget.metric = Metric.instructions.name
        var report = Samples.report([])
        report.check = Samples.machine
        for (tells, verdict) in [
            (nil, BudgetCheck.Verdict.uncounted), (false, .uncounted), (true, .missingRow),
        ] as [(Bool?, BudgetCheck.Verdict)] {
            report.check?.countsInstructions = tells
            let check = BudgetCheck(report, against: Budgets([budget]))
            #expect(check.findings.map(\.verdict) == [verdict])
            #expect(check.holds == (verdict == .uncounted))
        }
    }
}
