// SPDX-License-Identifier: Apache-2.0
@testable internal import BenchKit
internal import class Foundation.Thread
internal import Testing

struct VerdictTests {
    private func verdicts(_ report: Report, _ budget: Budget = Samples.budget)
        -> [BudgetCheck.Verdict]
    {
        BudgetCheck(report, against: Budgets([budget])).findings.map(\.verdict)
    }

    @Test func eachFormHasItsOwnSideOfTheLimit() {
        var budget = Samples.budget
        for (form, must, verdict) in [
            (.ratioAtLeast, 50, .held), (.ratioAtLeast, 50.1, .missed),
            (.shareAtMost, 0.02, .held), (.shareAtMost, 0.019, .missed),
            (.valueAtMost, 60, .held), (.valueAtMost, 59, .missed), (.valueBelow, 60, .missed),
            (.valueBelow, 61, .held), (.valueExactly, 60, .held), (.valueExactly, 61, .missed),
        ] as [(Budget.Form, Double, BudgetCheck.Verdict)] {
            (budget.form, budget.must) = (form, must)
            #expect(verdicts(Samples.report(), budget) == [verdict])
        }
        #expect(verdicts(Samples.report { $0.ratio = nil }) == [.held])
    }

    @Test func aRowWithoutAssertedCountsFails() {
        var report = Samples.report()
        report.asserted = []
        #expect(verdicts(report) == [.unasserted])
        #expect(!BudgetCheck(report, against: Budgets([])).failing.isEmpty)
    }

    @Test func countsNeedThreeRounds() {
        var budget = Samples.budget
        (budget.metric, budget.form, budget.must) = ("bytes", .valueAtMost, 60)
        for (rounds, verdict) in [(3, .held), (2, .tooFewRounds(2))]
            as [(Int, BudgetCheck.Verdict)]
        {
            let report = Samples.report { ($0.metric, $0.rounds) = ("bytes", rounds) }
            #expect(verdicts(report, budget) == [verdict])
        }
    }

    @Test func aRowThatTakesTooLongIsNoFaultOfAQuickRun() {
        var budget = Samples.budget
        budget.notQuick = true
        var report = Samples.report([])
        #expect(verdicts(report, budget) == [.missingRow])
        report.quick = true
        #expect(verdicts(report, budget) == [.leftOut])
        report.failures = ["churn / 100k: no memory"]
        #expect(verdicts(report, budget) == [.missingRow])
    }

    @Test func medianAndItsInterval() {
        #expect(Statistics.median([4, 1, 3, 2]) == 2.5)
        #expect(Statistics.median([.infinity, .infinity, 1]) == .infinity)
        #expect(Statistics.median([]).isNaN)
        // As in Conover's table; fewer than six values give their ends.
        #expect(Statistics.medianInterval((1...5).map(Double.init)) == 1...5)
        #expect(Statistics.medianInterval((1...21).map(Double.init)) == 6...16)
    }

    @Test func aRatioAboveOneMeansThatTheSubjectIsBetter() {
        #expect(Metric.cpu.ratio(subject: 10, rival: 30) == 3)
        #expect(Metric.ticks.ratio(subject: 100, rival: 50) == 2)
        #expect(Metric.early.ratio(subject: 0, rival: 0) == 1)
        #expect(Metric.early.figure(of: [0, 0, 1]) == 1)
    }

    @Test func theRunnerComparesRoundsAndFailsAloneWhatFails() {
        struct Broken: Error {}
        func side(_ name: String, _ value: Double) -> Side {
            Side(name, [.wall]) {
                var measurement = Measurement()
                measurement[.wall] = value
                try measurement.check("count", 1, is: 1)
                return measurement
            }
        }
        let contest = Contest(
            "s", "v", subject: side("Swivel", 2),
            rivals: [side("rival", 6), Side("broken", [.wall]) { throw Broken() }], reason: "why")
        let outcome = RoundRunner(rounds: nil, progress: ProgressLine()).run([contest])
        #expect(outcome.rows.map(\.ratio) == [3])
        #expect(outcome.rows.map(\.rounds) == [5])
        #expect(outcome.asserted == ["s / v / wall / rival"])
        #expect(outcome.failures.count == 1 && outcome.reasons.isEmpty)
    }

    @Test func aReportSurvivesItsJSON() throws {
        let odd = Samples.report {
            $0.ratio = nil
            $0.ratios = [1, .infinity, 2]
        }
        #expect(try Report(json: odd.json()) == odd)
    }

    @Test func timersArmedTooLateForTheirDeadlineAreLetFire() throws {
        var firing = Firing(lead: 100_000_000)
        var attempts = 0
        let (_, fired) = try firing.time(range: 0) {
            let countdown = Countdown(1)
            attempts += 1
            let isLate = attempts == 1
            return (
                arm: { lead in
                    if isLate { Clocks.pause(lead) }
                    Thread.detachNewThread {
                        if isLate { Clocks.pause(50_000_000) }
                        countdown.hit()
                    }
                    return countdown
                }, block: nil, close: { if countdown.hits == 0 { throw BenchFailure("left") } }
            )
        }
        #expect(fired == 1 && attempts > 1)
    }

    @Test func aBusyMachineIsNoWrongCount() {
        let contest = Contest(
            "s", "v", subject: Side("Swivel") { throw TooBusy(description: "late") },
            rivals: [Side("rival", [.wall]) { Measurement() }])
        let outcome = RoundRunner(rounds: nil, progress: ProgressLine()).run([contest])
        #expect(outcome.unmeasured == ["s / v: Swivel: late"] && outcome.failures.isEmpty)
    }
}
