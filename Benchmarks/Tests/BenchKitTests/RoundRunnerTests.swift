// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Synchronization
internal import Testing

@Suite(.serialized)
struct RoundRunnerTests {
    /// The names of sides in the order in which they ran.
    private final class Journal: Sendable {
        let names = Mutex<[String]>([])
    }

    private func side(
        _ name: String, _ values: [Double], checked: Bool = true, journal: Journal = Journal()
    ) -> Side {
        let calls = Atomic(0)
        let shared = Shared(calls)
        return Side(name, [.cpu]) {
            journal.names.withLock { $0.append(name) }
            let call = shared.calls.add(1, ordering: .relaxed).oldValue
            var measurement = Measurement()
            measurement[.cpu] = values[call % values.count]
            if checked { try measurement.check("calls", 1, is: 1) }
            return measurement
        }
    }

    private final class Shared: Sendable {
        let calls: Atomic<Int>
        init(_ calls: consuming Atomic<Int>) { self.calls = calls }
    }

    private func run(_ contest: Contest, rounds: Int) -> RoundRunner.Outcome {
        RoundRunner(
            rounds: Rounds(rounds), progress: ProgressLine(isSilent: true),
            neighbours: Neighbours(patience: 0)
        ).run([contest])
    }

    @Test func theOrderTurnsRoundEveryRound() {
        let journal = Journal()
        let contest = Contest(
            "s", "v", subject: side("us", [1], journal: journal),
            rivals: [side("them", [2], journal: journal)])
        _ = run(contest, rounds: 3)
        #expect(
            journal.names.withLock { $0 } == ["us", "them", "them", "us", "us", "them"])
    }

    @Test func aContestKeepsTheRivalsOfSomeRows() {
        let contest = Contest(
            "s", "v", subject: side("us", [1]),
            rivals: [side("one", [2]), side("two", [3]), side("three", [4])])
        let wanted: Set = ["s / v / cpu / three", "s / v / cpu / one", "s / w / cpu / two"]
        let kept = contest.keeping(rows: wanted.contains)
        #expect(kept?.rivals.map(\.name) == ["one", "three"])
        #expect(contest.keeping { _ in false } == nil)
    }

    @Test func countsAreTakenBesideNeighbours() {
        for (metric, disturbed) in [(Metric.allocations, 0.0), (.cpu, 100)] {
            var rooms = Array(repeating: [2.0], count: 10)
            let side = Side("side", [metric]) {
                var measurement = Measurement()
                measurement[metric] = 1
                return measurement
            }
            let runner = RoundRunner(
                rounds: Rounds(2), progress: ProgressLine(isSilent: true),
                neighbours: Neighbours(patience: 0) { rooms.popLast() ?? [1] })
            let outcome = runner.run([Contest("s", "v", subject: side, rivals: [side])], [])
            #expect(outcome.disturbed == disturbed)
        }
    }

    @Test func theRatioIsTheMedianOfTheRoundsRatios() throws {
        let contest = Contest(
            "s", "v", subject: side("us", [1, 2, 4]), rivals: [side("them", [2, 6, 8])])
        let outcome = run(contest, rounds: 3)
        let row = try #require(outcome.rows.first)
        #expect(row.ratio == 2)
        #expect(row.subjectMedian == 2)
        #expect(row.rivalMedian == 6)
        #expect(row.rounds == 3)
        #expect(outcome.asserted == [row.key])
    }

    @Test func contestsThatLeaveTimersBehindRunLastAndKeepTheirPlace() {
        let journal = Journal()
        let contests = ["a", "b"].map { name in
            Contest(
                "s", name, subject: side(name, [1], journal: journal), rivals: [side("them", [2])],
                leavesTimersBehind: name == "a")
        }
        let runner = RoundRunner(
            rounds: Rounds(1), progress: ProgressLine(isSilent: true),
            neighbours: Neighbours(patience: 0))
        #expect(runner.run(contests).rows.map(\.variant) == ["a", "b"])
        #expect(journal.names.withLock { $0 } == ["b", "a"])
    }

    @Test func theReasonIsGivenWhereARowIsLost() {
        let reasons = [1.0, 3.0].map { ours in
            let contest = Contest(
                "s", "v", subject: side("us", [ours]), rivals: [side("them", [2])],
                reason: "two threads")
            return run(contest, rounds: 1).reasons
        }
        #expect(reasons == [[:], ["s / v / cpu / them": "two threads"]])
    }

    @Test func aRivalsOwnReasonGoesBeforeTheContests() {
        let floor = Side("floor", [.cpu], reason: "a floor") {
            var measurement = Measurement()
            measurement[.cpu] = 1
            try measurement.check("calls", 1, is: 1)
            return measurement
        }
        let contest = Contest(
            "s", "v", subject: side("us", [3]), rivals: [side("them", [2]), floor],
            reason: "two threads")
        #expect(
            run(contest, rounds: 1).reasons == [
                "s / v / cpu / them": "two threads", "s / v / cpu / floor": "a floor",
            ])
    }

    @Test func aPointOfAMillionHasOneRound() {
        let sizes = Mutex<[Int]>([])
        let subject = Sweep.Subject("us") { size in
            sizes.withLock { $0.append(size) }
            var measurement = Measurement()
            measurement[.cpu] = 1
            return measurement
        }
        let sweep = Sweep(
            "s", "a curve", axis: .outstanding, metric: .cpu, sizes: [999_999, 1_000_000],
            subjects: [subject])
        let (curve, failures) = sweep.run(rounds: 3, progress: ProgressLine(isSilent: true))
        #expect(sizes.withLock { $0 } == [999_999, 999_999, 999_999, 1_000_000])
        #expect(sweep.steps(rounds: 3) == 4 && failures.isEmpty)
        #expect(curve.series.map(\.points.count) == [2])
    }

    @Test func countsMayHaveFewerRoundsThanTimes() {
        for (metric, expected) in [(Metric.allocations, 2), (.cpu, 3)] {
            let side = Side("side", [metric]) {
                var measurement = Measurement()
                measurement[metric] = 1
                return measurement
            }
            let runner = RoundRunner(
                rounds: Rounds(3, counts: 2), progress: ProgressLine(isSilent: true),
                neighbours: Neighbours(patience: 0))
            let rows = runner.run([Contest("s", "v", subject: side, rivals: [side])]).rows
            #expect(rows.map(\.rounds) == [expected])
        }
        #expect(Rounds(1, counts: 3, curves: 2) == Rounds(1, counts: 1, curves: 1))
    }

    @Test func aHeavyContestGetsMoreRounds() {
        let contest = Contest(
            "s", "v", subject: side("us", [1]), rivals: [side("them", [2])], weight: 3)
        #expect(run(contest, rounds: 2).rows.map(\.rounds) == [6])
    }

    @Test func aSideThatAssertsNothingLeavesItsRowUnasserted() {
        let contest = Contest(
            "s", "v", subject: side("us", [1]),
            rivals: [side("them", [2], checked: false), side("others", [2])])
        let outcome = run(contest, rounds: 1)
        #expect(outcome.rows.count == 2)
        #expect(outcome.asserted == ["s / v / cpu / others"])
    }

    @Test func aWrongCountFailsTheContestAndSaysWhy() {
        let wrong = Side("them", [.cpu]) {
            var measurement = Measurement()
            try measurement.check("fired", 3, is: 4)
            return measurement
        }
        let outcome = run(
            Contest("s", "v", subject: side("us", [1]), rivals: [wrong]), rounds: 1)
        #expect(outcome.rows.isEmpty)
        #expect(outcome.failures == ["s / v: them: fired: 3, not 4"])
    }

    @Test func aRivalFailsAlone() {
        let wrong = Side("wrong", [.cpu]) { throw BenchFailure("no memory") }
        let outcome = run(
            Contest("s", "v", subject: side("us", [1]), rivals: [wrong, side("them", [2])]),
            rounds: 3)
        #expect(outcome.rows.map(\.rival) == ["them"])
        #expect(outcome.failures == ["s / v: wrong: no memory"])
    }

    @Test func withoutTheSubjectAContestHasNoRows() {
        let subject = Side("us") { throw BenchFailure("no memory") }
        let outcome = run(
            Contest("s", "v", subject: subject, rivals: [side("them", [2])]), rounds: 3)
        #expect(outcome.rows.isEmpty)
        #expect(outcome.failures == ["s / v: us: no memory"])
    }

    @Test(arguments: [
        (Metric.early, [0.0, 1, 0], 1.0), (.drift, [0, 1, 0], 1), (.ticks, [1, 0, 1], 0),
    ])
    func aPromiseIsJudgedByItsWorstRound(_ metric: Metric, _ rounds: [Double], worst: Double) throws
    {
        func side(_ name: String, _ values: [Double]) -> Side {
            let calls = Journal()
            return Side(name, [metric]) {
                let call = calls.names.withLock { names in
                    names.append(name)
                    return names.count - 1
                }
                var measurement = Measurement()
                measurement[metric] = values[call]
                return measurement
            }
        }
        let kept = rounds.map { _ in rounds[0] }
        let outcome = run(
            Contest("s", "v", subject: side("us", rounds), rivals: [side("them", kept)]), rounds: 3)
        let row = try #require(outcome.rows.first)
        #expect(row.subjectMedian == worst)
        #expect(row.ratio == 0, "one broken round is a loss")
    }

    @Test func aMetricThatWasNotMeasuredFailsTheContest() {
        let wrong = Side("them", [.p50]) {
            var measurement = Measurement()
            try measurement.check("calls", 1, is: 1)
            return measurement
        }
        let outcome = run(
            Contest("s", "v", subject: side("us", [1]), rivals: [wrong]), rounds: 1)
        #expect(outcome.failures.count == 1)
    }
}
