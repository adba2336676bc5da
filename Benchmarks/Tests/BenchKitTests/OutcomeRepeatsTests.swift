// SPDX-License-Identifier: Apache-2.0

internal import Testing

@testable internal import BenchKit

struct OutcomeRepeatsTests {
    private static func contest(_ variant: String) -> Contest {
        Contest(
            "schedule-cancel", variant, subject: Side("Swivel") { Measurement() },
            rivals: [Side("DispatchSource", [.cpu]) { Measurement() }])
    }

    private let contests = ["1k", "100k"].map(contest)
    private let first = Samples.row
    private let second = Samples.rowChanged { $0.variant = "100k" }

    private func outcome(_ rows: [Row], failures: [String]) -> RoundRunner.Outcome {
        var outcome = RoundRunner.Outcome()
        outcome.rows = rows
        outcome.asserted = rows.map(\.key)
        outcome.failures = failures
        return outcome
    }

    @Test func aFailureThatDoesNotComeTwiceIsNone() {
        var outcome = self.outcome([first], failures: ["schedule-cancel / 100k: fired: 1, not 2"])
        let failed = outcome.failed(of: contests)
        #expect(failed.map(\.variant) == ["100k"])
        outcome.replace(failed, with: self.outcome([second], failures: []))
        #expect(outcome.rows == [first, second])
        #expect(outcome.asserted == [first.key, second.key])
        #expect(outcome.failures.isEmpty)
    }

    /// A Swivel that has lost a timer is not measured until it loses none.
    @Test func aWrongCountIsNotMeasuredAgain() throws {
        func outcome(_ error: any Error & Sendable) -> RoundRunner.Outcome {
            let contest = Contest(
                "churn", "1k", subject: Side("Swivel") { throw error },
                rivals: [Side("DispatchSource", [.cpu]) { Measurement() }])
            let runner = RoundRunner(
                rounds: Rounds(1), progress: ProgressLine(isSilent: true),
                neighbours: Neighbours(patience: 0))
            let outcome = runner.run([contest])
            #expect(outcome.failures.count == 1)
            return outcome
        }
        let churn = Contest("churn", "1k", subject: Side("Swivel") { Measurement() }, rivals: [])
        let contests = [Self.contest("1k"), churn]
        let lost = CountMismatch(what: "fired", actual: 1, expected: 2)
        #expect(outcome(lost).failed(of: contests).isEmpty)
        #expect(outcome(BenchFailure("no memory")).failed(of: contests).map(\.variant) == ["1k"])
    }

    @Test func aFailureThatComesTwiceStays() {
        var outcome = self.outcome([first], failures: ["schedule-cancel / 100k: once"])
        let failed = outcome.failed(of: contests)
        outcome.replace(
            failed, with: self.outcome([], failures: ["schedule-cancel / 100k: twice"]))
        #expect(outcome.rows == [first])
        #expect(outcome.failures == ["schedule-cancel / 100k: twice"])
    }

    /// A rival fails alone, and another one when the contest is run again.
    @Test func twoSidesThatFailOnceEachHaveNotFailed() {
        let contest = Contest(
            "schedule-cancel", "1k", subject: Side("Swivel") { Measurement() },
            rivals: ["DispatchSource", "NIO"].map { Side($0, [.cpu]) { Measurement() } })
        let other = Samples.rowChanged { $0.rival = "NIO" }
        var outcome = self.outcome([first], failures: ["schedule-cancel / 1k: NIO: no memory"])
        let again = self.outcome(
            [other], failures: ["schedule-cancel / 1k: DispatchSource: no memory"])
        outcome.replace(outcome.failed(of: [contest]), with: again)
        #expect(outcome.rows == [first, other])
        #expect(outcome.failures.isEmpty)
    }

    @Test func nothingHasFailedWhereNothingSaysSo() {
        #expect(outcome([first, second], failures: []).failed(of: contests).isEmpty)
    }
}
