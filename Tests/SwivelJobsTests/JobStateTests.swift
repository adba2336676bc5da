// SPDX-License-Identifier: Apache-2.0
@testable import SwivelJobs
import SwivelTestSupport
import Testing

/// A state that expectations can change.
private final class JobLife {
    private var state: JobState

    init(_ state: JobState) { self.state = state }

    var phase: JobState.Phase { state.phase }
    var canCancel: Bool { state.canCancel }

    func copy() -> JobLife { JobLife(state) }
    func execute() -> Bool { state.execute() }
    func end(isTaken: Bool = false, isAwaited: Bool = false) -> Bool {
        if isTaken { state.observe() }
        return state.end(isAwaited: isAwaited)
    }
    func report(_ fraction: Double, hasUserInfo: Bool) -> Double? {
        state.report(fraction, hasUserInfo: hasUserInfo)
    }
    func cancel(handlers: Int) -> JobState.Cancellation { state.cancel(handlers: handlers) }
    func tell() { state.observe() }
    func startResult(_ handler: Int) -> Bool { state.startResult(handler) }
    func closeProgress() { state.closeProgress() }
    func mayHearProgress(_ handler: Int) -> Bool { state.mayHearProgress(handler) }
}

@Suite struct JobStateTests {
    /// All that can happen to a job, with one handler, number 0.
    enum Input: CaseIterable { case execute, endAlone, endAwaited, report, cancel, tell, hear }

    /// The events so far, kept in the simplest way.
    struct History {
        var state = JobState()
        var executions = 0
        var ends = 0
        var endCancels = 0
        var silences = 0
        var cancels = 0
        var heard = 0
        var reports = 0

        mutating func apply(_ input: Input) {
            let before = state.phase
            switch input {
            case .execute: executions += state.execute() ? 1 : 0
            case .endAlone: ends += state.end(isAwaited: false) ? 1 : 0
            case .endAwaited: ends += state.end(isAwaited: true) ? 1 : 0
            case .report: reports += state.report(0.5, hasUserInfo: false) == nil ? 0 : 1
            case .cancel:
                cancels += 1
                switch state.cancel(handlers: 1) {
                case .ignore: break
                case .end: endCancels += 1
                case .silence: silences += 1
                }
            case .tell: state.observe()
            case .hear: heard += state.startResult(0) ? 1 : 0
            }
            check(input, from: before)
        }

        func check(_ input: Input, from before: JobState.Phase) {
            // The arrows of the diagram, and no others.
            let arrow = "\(before)-\(state.phase)"
            let arrows: Set = [
                "notExecuted-executing", "executing-resolved", "executing-completed",
                "resolved-completed", "notExecuted-cancelled", "executing-cancelled",
                "resolved-cancelled",
            ]
            #expect(before == state.phase || arrows.contains(arrow))
            #expect(executions <= 1 && ends <= executions)
            #expect(endCancels + silences <= 1)
            #expect((state.phase == .cancelled) == (endCancels == 1))
            #expect(ends == 0 || state.phase != .executing)
            #expect(state.phase == .cancelled || state.canCancel || ends == 1)
        }
    }

    @Test func everySequenceOfSixInputsKeepsTheRules() {
        func walk(_ history: History, _ depth: Int) {
            guard depth > 0 else { return }
            for input in Input.allCases {
                var next = history
                let wasOver = next.endCancels + next.silences == 1
                let heardBefore = next.heard
                let reportsBefore = next.reports
                next.apply(input)
                // After a cancel that counted, the handler does not start.
                #expect(!wasOver || next.heard == heardBefore)
                #expect(next.reports == reportsBefore || history.state.phase == .executing)
                walk(next, depth - 1)
            }
        }
        walk(History(), 6)
    }

    @Test func aResultIsResolvedUntilAHandlerStarts() {
        let state = JobLife(JobState())
        #expect(state.execute())
        #expect(state.end(isAwaited: true))
        #expect(state.phase == .resolved)
        let told = state.copy()
        told.tell()
        #expect(told.phase == .completed)
        let heard = state.copy()
        #expect(heard.startResult(0))
        #expect(heard.phase == .completed)
        #expect(heard.cancel(handlers: 1) == .ignore)
        #expect(state.cancel(handlers: 1) == .end)
        #expect(state.phase == .cancelled)
        #expect(!state.startResult(0))
    }

    @Test func aResultThatSomeoneHasKeepsTheJobCompleted() {
        let state = JobLife(JobState())
        _ = state.execute()
        #expect(state.end(isTaken: true, isAwaited: true))
        #expect(state.phase == .completed)
        #expect(state.canCancel)
        #expect(state.cancel(handlers: 2) == .silence)
        #expect(!state.canCancel)
        #expect(state.phase == .completed)
        #expect(!state.startResult(1))
        #expect(state.startResult(2))
        #expect(state.cancel(handlers: 3) == .ignore)
    }

    @Test func aHandlerThatHasStartedRunsAndTheOthersDoNot() {
        let state = JobLife(JobState())
        _ = state.execute()
        _ = state.end(isAwaited: true)
        #expect(state.startResult(1))
        #expect(state.cancel(handlers: 3) == .ignore)
        #expect(!state.startResult(0))
        #expect(!state.startResult(2))
    }

    @Test func progressIsClampedAndIgnoredOutsideTheExecution() {
        let state = JobLife(JobState())
        #expect(state.report(0.5, hasUserInfo: false) == nil)
        _ = state.execute()
        #expect(state.report(-1, hasUserInfo: false) == 0)
        #expect(state.report(7, hasUserInfo: false) == 1)
        #expect(state.report(.nan, hasUserInfo: true) == nil)
        #expect(state.report(0.5, hasUserInfo: false) == 0.5)
        #expect(state.report(0.25, hasUserInfo: false) == 0.25)
        _ = state.end()
        #expect(state.report(0.75, hasUserInfo: false) == nil)
    }

    @Test func compositesPassOnWhatGoesForwardAndWhatSaysMore() {
        let state = JobLife(JobState(isMonotone: true))
        _ = state.execute()
        #expect(state.report(0, hasUserInfo: false) == 0)
        #expect(state.report(0.5, hasUserInfo: false) == 0.5)
        #expect(state.report(0.5, hasUserInfo: false) == nil)
        #expect(state.report(0.25, hasUserInfo: false) == nil)
        #expect(state.report(0.25, hasUserInfo: true) == 0.5)
        #expect(state.report(1, hasUserInfo: false) == 1)
    }

    @Test func progressIsNotHeardAfterACancel() {
        let state = JobLife(JobState())
        #expect(state.mayHearProgress(0))
        _ = state.execute()
        _ = state.end(isTaken: true, isAwaited: true)
        #expect(state.mayHearProgress(0))
        _ = state.cancel(handlers: 1)
        #expect(!state.mayHearProgress(0))
        let cancelled = JobLife(JobState())
        _ = cancelled.cancel(handlers: 0)
        #expect(!cancelled.mayHearProgress(0))
    }

    @Test func progressIsNotHeardAfterTheResult() {
        let state = JobLife(JobState())
        _ = state.execute()
        _ = state.end(isAwaited: true)
        #expect(state.mayHearProgress(0))
        let closed = state.copy()
        closed.closeProgress()
        #expect(!closed.mayHearProgress(0))
        #expect(closed.startResult(1))
        #expect(state.startResult(1))
        #expect(!state.mayHearProgress(0))
    }

    @Test func partsCountByWeight() {
        var fractions = WeightedProgress([1, 3, 6])
        fractions.report(1, at: 0)
        #expect(fractions.fraction == 0.1)
        fractions.report(0.5, at: 1)
        #expect(fractions.fraction == 0.25)
        fractions.report(1, at: 1)
        #expect(fractions.fraction == 0.4)
        fractions.report(1, at: 2)
        #expect(fractions.fraction == 1)
    }

    @Test(arguments: [
        [0, 0, 0, 0], [1, 1, 1, 1], [.greatestFiniteMagnitude, .greatestFiniteMagnitude, 1, 1],
    ])
    func weightsWithoutASumCountAsEqual(_ weights: [Double]) {
        var fractions = WeightedProgress(weights)
        fractions.report(1, at: 2)
        #expect(fractions.fraction == 0.25)
        fractions.report(1, at: 0)
        #expect(fractions.fraction == 0.5)
    }

    @Test func theirSumNeverDriftsAndNeverGoesBack() {
        var random = Seeded()
        for _ in 0..<30 {
            let count = Int.random(in: 1..<60, using: &random)
            let weights = (0..<count).map { _ in
                Double.random(in: 0..<1, using: &random) * (Bool.random(using: &random) ? 1 : 1e9)
            }
            var fractions = WeightedProgress(weights)
            var parts = [Double](repeating: 0, count: count)
            var last = 0.0
            for _ in 0..<200 {
                let part = Int.random(in: 0..<count, using: &random)
                parts[part] = Double.random(in: parts[part]...1, using: &random)
                fractions.report(parts[part], at: part)
                #expect(fractions.fraction >= last)
                last = fractions.fraction
                let exact = zip(weights, parts).reduce(0) { $0 + $1.0 * $1.1 }
                #expect(abs(last - exact / weights.reduce(0, +)) < 1e-12)
            }
            for part in parts.indices.shuffled(using: &random) { fractions.report(1, at: part) }
            #expect(fractions.fraction == 1)
            fractions.report(0, at: 0)
            fractions.report(1, at: 0)
            #expect(fractions.fraction == 1)
        }
    }
}
