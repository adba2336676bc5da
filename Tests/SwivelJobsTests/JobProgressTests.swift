// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
@testable import SwivelJobs
import SwivelTestSupport
import Testing

/// The reports that listeners hear of a job's progress, and when.
@Suite struct JobProgressTests {
    typealias Work = Job<Int, JobFault>

    private let hand = JobHand<Int, JobFault>()
    private let heard = Shared<[Double]>()

    @Test func aSlowListenerHearsTheLatest() throws {
        let loop = try manualLoop()
        hand.make().onProgress(on: loop) { [heard] in heard.append($0.fraction) }.execute()
        for step in 1...4 { hand.report(Double(step) / 8) }
        #expect(heard.value.isEmpty)
        loop.runDue()
        #expect(heard.value == [0.5])
        hand.report(0.75)
        hand.report(1)
        loop.runDue()
        #expect(heard.value == [0.5, 1])
        loop.shutdown()
    }

    @Test func aHundredAndSixtyThousandReportsAreOnePost() throws {
        let loop = try manualLoop()
        let calls = Counter()
        hand.make().onProgress(on: loop) { _ in calls.add() }.execute()
        let count = 160_000
        for step in 1...count { hand.report(Double(step) / Double(count)) }
        loop.runDue()
        #expect(calls.value == 1)
        loop.shutdown()
    }

    @Test func whatIsUnheardOrWasDroppedKeepsOneReportAtMost() {
        let (queue, alive) = (QueueContext(), Shared(0))
        let reporter = Shared<Work.Report?>(nil)
        let functions = Shared<(Work.Succeed, Work.Fail)?>(nil)
        let job = Work { succeed, fail, report in
            reporter.value = report
            functions.value = (succeed, fail)
        }.onProgress(on: queue) { [heard] in heard.append($0.fraction) }.execute()
        for _ in 0..<100 { reporter.value?(JobProgress(0.5, userInfo: JobCapture(alive))) }
        #expect(alive.value == 1)
        queue.dropNext()
        #expect(alive.value == 0)
        reporter.value?(JobProgress(0.75, userInfo: JobCapture(alive)))
        queue.runAll()
        #expect(heard.value == [0.75])
        #expect(alive.value == 0)
        job.cancel()
    }

    @Test(arguments: [true, false])
    func noProgressIsHeardAfterTheEnd(endsElsewhere: Bool) {
        let (first, second) = (QueueContext(), QueueContext())
        let job = hand.make().onProgress(on: first) { [heard] in heard.append($0.fraction) }
        job.onComplete(on: endsElsewhere ? second : .immediate) { [heard] _ in heard.append(2) }
        job.execute()
        hand.report(0.5)
        hand.succeed(1)
        second.runAll()
        first.runAll()
        #expect(heard.value == [2])
    }

    @Test func theEndWaitsElsewhereForProgressThatIsBeingHeard() {
        let (first, second) = (QueueContext(), QueueContext())
        let (began, may) = (Gate(), Gate())
        let job = hand.make().onProgress(on: first) { [heard] in
            began.open()
            may.wait()
            heard.append($0.fraction)
        }
        job.onComplete(on: second) { [heard] _ in heard.append(2) }.execute()
        hand.report(0.5)
        let thread = TestThread { first.runAll() }
        began.wait()
        hand.report(0.75)
        hand.succeed(1)
        second.runAll()
        #expect(heard.value.isEmpty)
        may.open(2)
        thread.join()
        second.runAll()
        #expect(heard.value == [0.5, 2])
    }

    @Test func whoAsksForAllHearsAllOneByOne() {
        let queue = QueueContext()
        let job = hand.make()
        job.onProgress(on: queue, buffering: .all) { [heard] in heard.append($0.fraction) }
        job.onSuccess(on: queue) { [heard] _ in heard.append(2) }.execute()
        for step in 1...3 { hand.report(Double(step) / 4) }
        hand.succeed(1)
        for count in 1...4 {
            queue.runNext()
            #expect(heard.value.count == count)
        }
        #expect(heard.value == [0.25, 0.5, 0.75, 2])
        #expect(queue.count == 0)
    }

    @Test func aHundredAndSixtyThousandReportsAreHeardByWhoAsksForAll() throws {
        let loop = try manualLoop()
        let (calls, last) = (Counter(), Shared(0.0))
        let job = hand.make().onProgress(on: loop, buffering: .all) {
            if $0.fraction > last.value { calls.add() }
            last.value = $0.fraction
        }.execute()
        let count = Machine.scaled(160_000, by: 8)
        for step in 1...count { hand.report(Double(step) / Double(count)) }
        loop.runDue()
        #expect(calls.value == count)
        #expect(last.value == 1)
        job.cancel()
        loop.shutdown()
    }

    @Test(arguments: [JobProgress.Buffering.latest, .all])
    func callsNeverOverlapOnAConcurrentContext(_ buffering: JobProgress.Buffering) {
        let (queue, began, may) = (QueueContext(), Gate(), Gate())
        let job = hand.make().onProgress(on: queue, buffering: buffering) { [heard] in
            began.open()
            may.wait()
            heard.append($0.fraction)
        }.execute()
        hand.report(0.25)
        let thread = TestThread { queue.runNext() }
        began.wait()
        hand.report(0.5)
        hand.report(0.75)
        // Another worker of the context finds the listener running.
        queue.runAll()
        #expect(heard.value.isEmpty)
        may.open(3)
        thread.join()
        queue.runAll()
        #expect(heard.value == (buffering == .all ? [0.25, 0.5, 0.75] : [0.25, 0.75]))
        job.cancel()
    }

    @Test func noneStartsBesideTheEndOnThePool() {
        for round in 0..<Machine.scaled(2000, by: 10) {
            let (ended, late, gate) = (Counter(), Counter(), Gate())
            let functions = Shared<Work.Succeed?>(nil)
            let job = Work { succeed, _, report in
                functions.value = succeed
                for step in 0..<20 { report(JobProgress(Double(step) / 20)) }
                if round.isMultiple(of: 2) { succeed(1) } else { functions.value = nil }
            }
            for _ in 0..<3 {
                job.onProgress(on: .background, buffering: .all) { _ in
                    if ended.value != 0 { late.add() }
                }
            }
            let end: @Sendable () -> Void = {
                ended.add()
                gate.open()
            }
            job.onComplete(on: .background) { _ in end() }.onCancel(on: .background, end)
            job.execute(on: .background)
            gate.wait()
            #expect(late.value == 0)
        }
    }
}
