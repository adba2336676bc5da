// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Coalesced runs on a context that is behind: guarantee F4, and the delay since the last call.
@Suite(.offPool) struct HeldUpContextTests {
    private let probe = Probe()
    private static let ids = Counter()

    /// An id that no other test has.
    private static var newID: Int { ids.add() }

    /// The limit has come, and the run is on its way: later calls join it. A context that is made for
    /// each call is the same one, too, unless it is a closure.
    @Test(arguments: 0..<contexts(on: QueueContext()).count, [false, true])
    func aRunWhoseLimitHasComeIsNotPutOff(_ number: Int, isMadeAnew: Bool) {
        let (queue, runs, id) = (QueueContext(), Shared<[Int]>(), Self.newID)
        let first = contexts(on: queue)[number]
        func call(_ value: Int) {
            func call(_ context: some ExecutionContext) {
                context.once(
                    id, after: .hours(1), maxWait: .milliseconds(1),
                    probe.work { runs.append(value) })
            }
            let context = isMadeAnew && number != 2 ? contexts(on: queue)[number] : first
            call(context)
        }
        for round in 1...3 {
            call(10 * round)
            queue.waitForArrivals(round)
            for value in 1...5 { call(10 * round + value) }
            #expect(queue.runNext())
            #expect(runs.value == (1...round).map { 10 * $0 + 5 }, "the last call's")
            #expect(queue.count == 0 && probe.live == 0)
        }
    }

    /// The same for calls on the loop's own thread, whatever they say of a limit.
    @Test(arguments: [nil, Duration.hours(1)])
    func aRunWhoseLimitHasComeOnItsOwnLoopIsNotPutOff(maxWait: Duration?) throws {
        let loop = try threadedLoop()
        let (runs, id) = (Shared<[Int]>(), Self.newID)
        let hasRun = Gate()
        loop.execute {
            loop.once(id, after: .hours(1), maxWait: .milliseconds(1)) { runs.append(1) }
            let limit = loop.now.advanced(by: .milliseconds(2))
            while loop.now < limit {}
            loop.once(id, after: .hours(1), maxWait: maxWait) {
                runs.append(2)
                hasRun.open()
            }
        }
        hasRun.wait()
        #expect(runs.value == [2])
        loop.shutdown()
    }

    /// Two places in turn: neither puts the other's run off, and neither gets a pile.
    @Test func callsOnTwoContextsInTurnPutNothingOff() {
        let (first, second, id) = (QueueContext(), QueueContext(), Self.newID)
        let runs = Shared<[String]>()
        func call(_ context: some ExecutionContext, _ name: String) {
            context.once(
                id, after: .hours(1), maxWait: .milliseconds(1), probe.work { runs.append(name) })
        }
        call(first, "a")
        first.waitForArrivals(1)
        call(second, "b")
        second.waitForArrivals(1)
        for number in 1...20 {
            call(first, "a\(number)")
            call(second, "b\(number)")
        }
        #expect(first.count == 1 && second.count == 1)
        first.runAll()
        second.runAll()
        #expect(runs.value == ["a20", "b20"])
        #expect(probe.live == 0)
    }

    /// A call on another context replaces a run whose limit has not come.
    @Test func beforeTheLimitACallOnAnotherContextReplacesTheRun() {
        let (first, second, id) = (QueueContext(), QueueContext(), Self.newID)
        first.once(id, after: .zero, maxWait: .seconds(3600), probe.work())
        first.waitForArrivals(1)
        second.once(id, after: .zero, maxWait: .seconds(3600), probe.work())
        second.waitForArrivals(1)
        first.runAll()
        #expect(probe.ran == 0)
        second.runAll()
        #expect(probe.ran == 1 && probe.live == 0)
    }

    /// A handle of a run that is not put off cancels it, also after other calls have joined it.
    @Test func aRunThatIsNotPutOffCanBeCancelled() {
        let (queue, id) = (QueueContext(), Self.newID)
        func call() -> TimerHandle {
            AnyContext(queue).once(
                id, after: .hours(1), maxWait: .milliseconds(1), probe.work())
        }
        let first = call()
        queue.waitForArrivals(1)
        let second = call()
        #expect(first == second && second.isPending)
        #expect(first.cancel() == .cancelled && !second.isPending)
        queue.runAll()
        #expect(probe.ran == 0 && probe.live == 0)
        _ = call()
        queue.waitForArrivals(2)
        queue.runAll()
        #expect(probe.ran == 1)
    }

    /// `after` counts from the last call, also where the run comes late on its context.
    @Test(arguments: [true, false], 0..<contexts(on: QueueContext()).count)
    func aLateRunKeepsItsDistanceFromTheLastCall(isOnce: Bool, number: Int) {
        let (queue, id) = (QueueContext(), Self.newID)
        let delay = Duration.milliseconds(100)
        let (ran, last) = (Shared<[LoopClock.Instant]>(), Shared(LoopClock.Instant.now))
        let context = contexts(on: queue)[number]
        let work = probe.work { ran.append(.now) }
        func run(_ context: some ExecutionContext) {
            let coalescer = Coalescer(
                on: context, after: delay, maxWait: .seconds(3600), work)
            func call() {
                if isOnce {
                    context.once(id, after: delay, maxWait: .seconds(3600), work)
                } else {
                    coalescer.call()
                }
                last.value = .now
            }
            call()
            queue.waitForArrivals(1)
            for _ in 0..<3 { call() }
            queue.runAll()
            while ran.value.isEmpty {
                queue.waitForArrivals(2)
                queue.runAll()
            }
        }
        run(context)
        #expect(ran.value.count == 1)
        // The call was before `last`, by a little.
        let distance = last.value.duration(to: ran.value.first ?? .never)
        #expect(distance >= delay - .milliseconds(50), "ran \(distance) after the last call")
    }

    /// Within the limit only.
    @Test func aLateRunIsNotPutOffBeyondTheLimit() {
        let queue = QueueContext()
        let coalescer = Coalescer(
            on: queue, after: .hours(1), maxWait: .milliseconds(1), probe.work())
        coalescer.call()
        queue.waitForArrivals(1)
        for _ in 0..<5 { coalescer.call() }
        queue.runAll()
        #expect(probe.ran == 1 && !coalescer.isPending)
    }

    /// How a wait for a run that cannot start is ended.
    enum End: CaseIterable, Sendable { case cancel, taskCancel, taskCancelledBefore }

    @Test(arguments: End.allCases, [true, false])
    func aWaitForARunThatIsHeldUpEnds(_ end: End, onLoop: Bool) throws {
        let (queue, mayEnd, ended) = (QueueContext(), Gate(), Gate())
        let loop = try threadedLoop()
        if onLoop { loop.execute { mayEnd.wait() } }
        let coalescer =
            onLoop
            ? Coalescer(on: loop, after: .hours(1), probe.work())
            : Coalescer(on: queue, after: .hours(1), probe.work())
        coalescer.call()
        let mayBegin = Gate()
        let task = Task.detached { [probe] in
            if end == .taskCancelledBefore { mayBegin.wait() }
            await coalescer.flushAndWait()
            #expect(probe.ran == 0)
            ended.open()
        }
        if end == .taskCancelledBefore {
            task.cancel()
            mayBegin.open()
        } else {
            if !onLoop { queue.waitForArrivals(1) }
            #expect(!ended.isOpened(seconds: 0))
        }
        switch end {
        case .cancel: #expect(coalescer.cancel())
        case .taskCancel: task.cancel()
        case .taskCancelledBefore: break
        }
        #expect(ended.isOpened(seconds: 20), "the wait goes on")
        #expect(coalescer.isPending == (end != .cancel))
        mayEnd.open()
        queue.runAll()
        loop.onThread {}
        queue.runAll()
        #expect(probe.ran == (end == .cancel ? 0 : 1))
        loop.shutdown()
    }

    /// A wait for a run under way is ended by its task's cancel, and not by that of the next run.
    @Test func aWaitForARunUnderWayEndsWithItsTask() throws {
        let pool = WorkerPool(name: "test.pool", threads: 4)
        let (begun, mayEnd, ended) = (Gate(), Gate(), Gate())
        let coalescer = Coalescer(on: pool, after: .zero) {
            begun.open()
            mayEnd.wait()
        }
        coalescer.call()
        begun.wait()
        let task = Task {
            await coalescer.flushAndWait()
            ended.open()
        }
        #expect(!coalescer.cancel())
        #expect(!ended.isOpened(seconds: 0))
        task.cancel()
        ended.wait()
        mayEnd.open()
    }

    /// Series are distinct, however many begin at one instant.
    @Test(arguments: [1, 127, 128, 255, 256, 1_000])
    func seriesOfOneInstantAreToldApart(cancelled: Int) throws {
        let loop = try manualLoop()
        let at = Shared<[Int]>()
        let coalescer = Coalescer(
            on: loop, after: .seconds(10), probe.work { at.append(loop.elapsed) })
        coalescer.call()
        coalescer.flush()
        coalescer.cancel()
        for _ in 0..<cancelled {
            coalescer.call()
            coalescer.cancel()
        }
        coalescer.call()
        loop.advance(by: .seconds(20))
        #expect(at.value == [10_000])
    }

    /// As far as the clock goes.
    @Test func aRunThatNeverComesStaysPending() throws {
        let loop = try manualLoop()
        let coalescer = Coalescer(
            on: loop, after: .seconds(Int64.max), maxWait: .seconds(Int64.max), probe.work())
        coalescer.call()
        loop.advance(by: .hours(1))
        coalescer.call()
        loop.advance(by: .hours(1_000))
        #expect(coalescer.isPending && probe.ran == 0)
        #expect(coalescer.cancel())
    }
}
