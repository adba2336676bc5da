// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// S7: counts of timers whose closures run on a context that is not a loop.
@Suite struct DispatchedCountTests {
    enum End: String, CaseIterable, Codable, Sendable {
        case hasRun, isCancelledBefore, isCancelledWhenDue, isCancelledWhileUnderWay, isDropped
    }

    /// In a process of its own, where nothing else uses the shared loop.
    @Test(arguments: End.allCases, [false, true])
    func whatEndsElsewhereIsNotPending(_ end: End, repeats: Bool) async {
        await #expect(processExitsWith: .success) { [end = end as End, repeats = repeats as Bool] in
            exitTest { count(end, repeats) }
        }
    }

    /// T9: leeway counts for half an interval at most, so no tick is lost.
    @Test(arguments: [MissedTicks.skip, .delay, .burst])
    func aRepeatLosesNoTickByItsLeeway(_ missed: MissedTicks) {
        let (context, alarm, ticks) = (QueueContext(), LateAlarm(), Shared<[Tick]>())
        let table = TimerTable()
        let request = TimerRequest(
            .at(LoopClock.Instant(nanoseconds: 1_000)), leeway: .nanoseconds(5_000),
            .every(.nanoseconds(1_000), missed: missed, jitter: nil) { ticks.append($0) })
        let timer = DispatchedTimer(request, now: 1, on: context, in: table)
        let handle = timer.begin(table.nextID(), alarm)
        for _ in 1...100 {
            timer.fire()
            #expect(context.runNext() && context.count == 0)
        }
        #expect(ticks.value.count == 100 && ticks.value.allSatisfy { $0.missed == 0 })
        #expect(handle.cancel() == .cancelled && table.count == 0)
    }
}

/// It is always as late as it may be.
private final class LateAlarm: TimerAlarm {
    private let latest = Shared<UInt64>(1)

    var now: UInt64 { latest.value }

    func deadline(after delay: UInt64) -> UInt64 { now + delay }

    func set(at deadline: UInt64, leeway: UInt64) -> Bool {
        latest.value = deadline + leeway
        return true
    }

    func hold() {}
    func count(missed: UInt64) {}
    func end(isCancelled: Bool) {}
}

private func count(_ end: DispatchedCountTests.End, _ repeats: Bool) {
    let (context, delay) = (QueueContext(), Duration.milliseconds(1))
    let (first, handle) = (Loop.shared.metrics, Shared<TimerHandle?>(nil))
    let body: @Sendable () -> Void = {
        if end == .isCancelledWhileUnderWay { handle.value?.cancel() }
        let pending = repeats && end != .isCancelledWhileUnderWay ? 1 : 0
        require(Loop.shared.metrics.pending == pending, "in the closure")
    }
    let isFar = end == .isCancelledBefore
    handle.value =
        repeats
        ? context.schedule(every: delay, startingAfter: isFar ? .hours(1) : delay, body)
        : context.schedule(after: isFar ? .hours(1) : delay, body)
    require(Loop.shared.metrics.pending == 1, "armed")
    if !isFar {
        context.waitForArrivals(1)
        let metrics = Loop.shared.metrics
        require(metrics.pending == 1 && metrics.fired == first.fired, "on its way")
        let turned = Gate()
        Loop.shared.execute { turned.open() }
        turned.wait()
        let lateness = Loop.shared.metrics.lateness
        require(lateness.count == first.lateness.count + 1, "how late the loop was")
    }
    switch end {
    case .hasRun, .isCancelledWhileUnderWay: context.runNext()
    case .isCancelledBefore, .isCancelledWhenDue: handle.value?.cancel()
    case .isDropped: context.dropNext()
    }
    let goesOn = end == .hasRun && repeats
    require(Loop.shared.metrics.pending == (goesOn ? 1 : 0), "at the end")
    handle.value?.cancel()
    let last = Loop.shared.metrics
    let ran = end == .hasRun || end == .isCancelledWhileUnderWay ? 1 : 0
    let isCancelled = end != .hasRun && (repeats || end != .isCancelledWhileUnderWay) || goesOn
    require(last.pending == 0 && last.fired - first.fired == ran, "\(last)")
    require(last.cancelled - first.cancelled == (isCancelled ? 1 : 0), "\(last)")
}
