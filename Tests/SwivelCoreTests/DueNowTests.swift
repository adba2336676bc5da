// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// T5: a zero, negative or passed deadline is due now through every entry point, whatever the leeway.
/// It comes in order with the posts of the thread that asks, and never inside the call.
@Suite(.offPool) struct DueNowTests {
    /// The calls that take a deadline.
    enum Entry: String, CaseIterable, CustomTestStringConvertible {
        case schedule, scheduleAt, arm, armAt, rearm, rearmRepeat, once, firstTick, pauseTick, entry
        var testDescription: String { rawValue }
    }

    /// Runs `call` on the loop's thread or on the test's, and then lets the loop run.
    private func perform(_ loop: Loop, inside: Bool, _ call: @escaping @Sendable () -> Void) {
        if inside { loop.inside(call) } else { call() }
        loop.runDue()
    }

    @Test(arguments: Entry.allCases, [true, false])
    func whatIsDueNowComesInOrderWithPosts(entry: Entry, inside: Bool) throws {
        for (number, delay) in [Duration.zero, .nanoseconds(-1), .seconds(-5)].enumerated() {
            for leeway in [Duration.zero, .milliseconds(2), .seconds(2)] {
                let loop = try manualLoop()
                let order = Shared<[String]>()
                let subject = Subject(entry, on: loop, leeway: leeway) { order.append("due") }
                // Due long before, and not fired yet: the calls are made before the loop looks.
                loop.runDue()
                perform(loop, inside: inside) {
                    loop.execute { order.append("before") }
                    subject.call(delay)
                    #expect(order.value.isEmpty, "not inside the call")
                    loop.execute { order.append("after") }
                }
                #expect(order.value == ["before", "due", "after"], "\(number) \(leeway)")
                subject.end()
                loop.shutdown()
            }
        }
    }

    /// A call that comes again takes the later place, among posts too.
    @Test(arguments: [Entry.arm, .armAt, .rearmRepeat], [true, false])
    func theLastCallTakesItsPlaceAmongPosts(entry: Entry, inside: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[String]>()
        let subject = Subject(entry, on: loop, leeway: .seconds(1)) { order.append("due") }
        loop.runDue()
        perform(loop, inside: inside) {
            subject.call(.zero)
            loop.execute { order.append("first") }
            subject.call(.seconds(-1))
            subject.call(.zero)
            loop.execute { order.append("second") }
        }
        #expect(order.value == ["first", "due", "second"])
        subject.end()
        loop.shutdown()
    }

    /// A later deadline replaces it, and so does a disarm or a cancel.
    @Test(arguments: [true, false])
    func whatWasDueNowIsMovedOrEnded(inside: Bool) throws {
        let loop = try manualLoop()
        let fired = Shared<[Int]>()
        let timer = LoopTimer(on: loop) { fired.append(loop.elapsed) }
        let handle = loop.schedule(after: .hours(1)) { fired.append(-1) }
        perform(loop, inside: inside) {
            timer.arm(after: .zero)
            timer.arm(after: .milliseconds(3))
            handle.rearm(after: .zero)
            #expect(handle.cancel() == .cancelled)
        }
        loop.advance(by: .milliseconds(2))
        #expect(fired.value.isEmpty)
        loop.advance(by: .milliseconds(2))
        #expect(fired.value == [3])
        perform(loop, inside: inside) {
            timer.arm(after: .zero)
            #expect(timer.isArmed)
            #expect(timer.disarm() == .cancelled)
            #expect(!timer.isArmed)
        }
        loop.advance(by: .hours(2))
        #expect(fired.value == [3])
        #expect(loop.metrics.pending == 0)
        perform(loop, inside: inside) { timer.arm(at: epoch, leeway: .hours(1)) }
        #expect(fired.value.count == 2 && loop.metrics.pending == 0)
        loop.shutdown()
    }

    /// In its own closure, and from another thread while that runs.
    @Test(arguments: [true, false])
    func aTimerThatRunsIsDueAgain(elsewhere: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[String]>()
        let subject = Shared<LoopTimer?>(nil)
        let again: @Sendable () -> Void = {
            loop.execute { order.append("before") }
            subject.value?.arm(after: .zero, leeway: .seconds(9))
            loop.execute { order.append("after") }
        }
        subject.value = LoopTimer(on: loop) {
            order.append("due")
            guard order.value.count == 1 else { return }
            if elsewhere { onThread(again) } else { again() }
        }
        subject.value?.arm(after: .milliseconds(1))
        loop.advance(by: .milliseconds(1))
        #expect(order.value == ["due", "before", "due", "after"])
        subject.value = nil
        loop.shutdown()
    }

    /// The same for a repeat, whose grid begins anew there.
    @Test(arguments: [true, false])
    func aRepeatThatRunsIsDueAgain(elsewhere: Bool) throws {
        let loop = try manualLoop()
        let order = Shared<[String]>()
        let ticks = Shared<[Int]>()
        let handle = loop.schedule(every: .milliseconds(10), leeway: .milliseconds(4)) { tick in
            order.append("due")
            ticks.append(loop.elapsed)
            guard order.value.count == 1 else { return }
            let again: @Sendable () -> Void = {
                loop.execute { order.append("before") }
                #expect(tick.handle.rearm(after: .zero))
                loop.execute { order.append("after") }
            }
            if elsewhere { onThread(again) } else { again() }
        }
        loop.advanceToNextDeadline()
        let first = ticks.value.first ?? 0
        #expect(order.value == ["due", "before", "due", "after"])
        loop.advance(to: loop.now.advanced(by: .milliseconds(15)))
        #expect(ticks.value.count == 3 && ticks.value[2] >= first + 10)
        handle.cancel()
        loop.shutdown()
    }

    /// While a nested turn meets what is due, its closure still runs.
    @Test(arguments: [true, false])
    func whatIsDueOutlastsANestedTurn(elsewhere: Bool) throws {
        let loop = try manualLoop()
        let fired = Shared(0)
        let subject = Shared<LoopTimer?>(nil)
        subject.value = LoopTimer(on: loop) {
            guard fired.add() == 1 else { return }
            let latch = Latch()
            let again: @Sendable () -> Void = {
                subject.value?.arm(after: .zero)
                loop.execute { latch.signal() }
            }
            if elsewhere { onThread(again) } else { again() }
            _ = latch.wait()
            #expect(fired.value == 1, "it does not overlap itself")
        }
        subject.value?.arm(after: .milliseconds(1))
        loop.advance(by: .milliseconds(1))
        #expect(fired.value == 2)
        subject.value = nil
        loop.shutdown()
    }

    /// On a real loop, with an hour's leeway: what waited for the leeway would not come.
    @Test(arguments: Entry.allCases, [true, false])
    func onARealLoopTheLeewayIsNotWaitedFor(entry: Entry, inside: Bool) throws {
        let loop = try threadedLoop()
        let due = Gate()
        let subject = Subject(entry, on: loop, leeway: .hours(1)) { due.open() }
        let call: @Sendable () -> Void = { subject.call(.zero) }
        if inside { loop.onThread(call) } else { call() }
        due.wait()
        subject.end()
        loop.shutdown()
    }

    /// Nor on another context.
    @Test(arguments: Entry.allCases.filter { ![.arm, .armAt, .entry].contains($0) })
    func elsewhereTheLeewayIsNotWaitedFor(entry: Entry) {
        let (queue, due) = (QueueContext(), Gate())
        let subject = Subject(entry, on: queue, leeway: .hours(1)) { due.open() }
        subject.call(.zero)
        queue.waitForArrivals(1)
        queue.runAll()
        #expect(due.opened == 1)
        subject.end()
    }

    /// A loop that is shut down in a drain runs what is due, and releases it otherwise.
    @Test(arguments: [true, false], [ShutdownMode.drain(within: .seconds(1)), .cancelPending])
    func whatIsDueIsAnAcceptedPost(inside: Bool, mode: ShutdownMode) throws {
        let loop = try manualLoop()
        let fired = Shared(0)
        let timer = LoopTimer(on: loop) { _ = fired.add() }
        let handle = loop.schedule(after: .hours(1)) { _ = fired.add() }
        let call: @Sendable () -> Void = {
            timer.arm(after: .zero)
            handle.rearm(after: .zero)
        }
        loop.runDue()
        if inside {
            loop.execute {
                call()
                loop.shutdown(mode)
            }
            loop.runDue()
        } else {
            call()
        }
        let report = loop.shutdown(mode)
        #expect(fired.value == (mode == .cancelPending ? 0 : 2))
        #expect(report.cancelledTimers == (mode == .cancelPending ? 2 : 0))
    }
}

/// A timer, and the call that makes it due.
private final class Subject: Sendable {
    let call: @Sendable (Duration) -> Void
    private let handles = Shared<[TimerHandle]>()
    private let kept = Shared<[any Sendable]>()

    func end() {
        handles.value.forEach { $0.cancel() }
        kept.value = []
    }

    init(
        _ entry: DueNowTests.Entry, on context: some ExecutionContext, leeway: Duration,
        _ work: @escaping @Sendable () -> Void
    ) {
        let handles = handles
        let add: @Sendable (TimerHandle) -> Void = { handles.append($0) }
        switch entry {
        case .schedule:
            call = { add(context.schedule(after: $0, leeway: leeway, work)) }
        case .scheduleAt:
            let loop = (context as? Loop) ?? .shared
            call = {
                add(context.schedule(at: loop.now.advanced(by: $0), leeway: leeway, work))
            }
        case .rearm:
            let handle = context.schedule(after: .hours(5), leeway: leeway, work)
            add(handle)
            call = { handle.rearm(after: $0) }
        case .rearmRepeat:
            let handle = context.schedule(every: .hours(5), leeway: leeway) { _ in work() }
            add(handle)
            call = { handle.rearm(after: $0) }
        case .once:
            call = {
                add(context.once(ObjectIdentifier(handles), after: $0, leeway: leeway, work))
            }
        case .firstTick:
            call = {
                let every = Duration.hours(5)
                add(context.schedule(every: every, startingAfter: $0, leeway: leeway, work))
            }
        case .pauseTick:
            call = {
                add(
                    context.schedule(
                        everyAfterCompletion: .hours(5), startingAfter: $0, leeway: leeway, work))
            }
        case .arm, .armAt, .entry:
            // swift-format-ignore: NeverForceUnwrap
            let loop = (context as? Loop)!  // because these are given loops only
            call = Self.ofLoop(entry, loop, leeway, work, kept)
        }
    }

    private static func ofLoop(
        _ entry: DueNowTests.Entry, _ loop: Loop, _ leeway: Duration,
        _ work: @escaping @Sendable () -> Void, _ kept: Shared<[any Sendable]>
    ) -> @Sendable (Duration) -> Void {
        if entry == .entry {
            let queue = DeadlineQueue<Int>(on: loop) { _ in work() }
            kept.append(queue)
            return { queue.add(0, at: loop.now.advanced(by: $0)) }
        }
        let timer = LoopTimer(on: loop, work)
        kept.append(timer)
        if entry == .arm { return { timer.arm(after: $0, leeway: leeway) } }
        return { timer.arm(at: loop.now.advanced(by: $0), leeway: leeway) }
    }
}
