// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Guarantee S7: the number of pending timers is exact whenever it is read, for every kind.
@Suite(.offPool) struct PendingCountTests {
    private let probe = Probe()

    /// Something that is pending at times.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Makes one, and returns how it becomes pending, and how it ends.
        let make: @Sendable (Loop) -> (begin: @Sendable () -> Void, end: @Sendable () -> Void)

        init(
            _ name: String,
            _ make:
                @escaping @Sendable (Loop) -> (
                    begin: @Sendable () -> Void, end: @Sendable () -> Void
                )
        ) {
            (testDescription, self.make) = (name, make)
        }

        /// One whose `begin` returns what `end` takes.
        static func made<Made: Sendable>(
            _ name: String, _ begin: @escaping @Sendable (Loop) -> Made,
            _ end: @escaping @Sendable (Made) -> Void
        ) -> Kind {
            Kind(name) { loop in
                let made = Shared(Made?.none)
                return (
                    { made.value = begin(loop) },
                    { if let it = made.update({ $0.take() }) { end(it) } }
                )
            }
        }

        static func timer(
            _ name: String, _ make: @escaping @Sendable (Loop) -> TimerHandle
        ) -> Kind { made(name, make) { $0.cancel() } }
    }

    static let kinds: [Kind] = [
        .timer("one-shot") { $0.schedule(after: .hours(1)) {} },
        .timer("one-shot, moved") {
            let handle = $0.schedule(after: .hours(1)) {}
            handle.rearm(after: .hours(2))
            return handle
        },
        .timer("repeat") { $0.schedule(every: .hours(1)) {} },
        .timer("once") {
            $0.once("pending \($0)", after: .hours(1)) {}
            return $0.once("pending \($0)", after: .hours(1)) {}
        },
        Kind("LoopTimer") { loop in
            let timer = LoopTimer(on: loop) {}
            return (
                { [Duration.hours(1), .hours(2), .seconds(60)].forEach { timer.arm(after: $0) } },
                { for _ in 0..<2 { timer.disarm() } }
            )
        },
        .made(
            "LoopTimer, released",
            {
                let timer = LoopTimer(on: $0) {}
                timer.arm(after: .hours(1))
                return timer
            }, { _ in }),
        Kind("Coalescer") { loop in
            let coalescer = Coalescer(on: loop, after: .hours(1)) {}
            return (
                { for _ in 0..<3 { coalescer.call() } }, { coalescer.cancel() }
            )
        },
        Kind("Throttle") { loop in
            let throttle = Throttle(on: loop, every: .hours(1), edges: .trailing) {}
            return ({ for _ in 0..<3 { throttle.call() } }, { throttle.cancel() })
        },
        Kind("DeadlineQueue") { loop in
            let queue = DeadlineQueue<Int>(on: loop) { _ in }
            let entry = Shared(DeadlineEntry?.none)
            return (
                {
                    entry.value = queue.add(1, after: .hours(1))
                    entry.value?.move(after: .hours(2))
                },
                {
                    entry.value?.remove()
                    _ = queue.count
                }
            )
        },
        Kind("IdleTracker") { loop in
            let tracker = IdleTracker<Int>(on: loop, after: .hours(1)) { _ in }
            let entry = Shared(IdleEntry?.none)
            return (
                {
                    entry.value = tracker.add(1)
                    entry.value?.touch()
                },
                {
                    entry.value?.remove()
                    _ = tracker.count
                }
            )
        },
    ]

    /// The loop's thread, another one beside a loop that sleeps, and one beside a loop whose closure
    /// does not return.
    enum Place: CaseIterable, Sendable { case inside, asleep, heldUp }

    @Test(arguments: kinds, Place.allCases)
    func itIsExactWhoeverBeginsAndEnds(_ kind: Kind, _ place: Place) throws {
        let loop = try threadedLoop()
        let (held, mayEnd) = (Gate(), Gate())
        let (begin, end) = kind.make(loop)
        let visit: @Sendable () -> Void = {
            for _ in 0..<3 {
                #expect(loop.metrics.pending == 0)
                begin()
                #expect(loop.metrics.pending == 1)
                end()
                #expect(loop.metrics.pending == 0)
            }
            begin()
        }
        switch place {
        case .inside:
            loop.onThread(visit)
        case .asleep:
            loop.endTurn()
            visit()
        case .heldUp:
            loop.execute {
                held.open()
                mayEnd.wait()
            }
            held.wait()
            visit()
        }
        // The loop's thread begins one that another thread ends, or the other way round.
        if place == .inside {
            end()
        } else {
            mayEnd.open()
            loop.onThread(end)
        }
        #expect(loop.metrics.pending == 0)
        loop.endTurn()
        #expect(loop.metrics.pending == 0)
        loop.shutdown()
        #expect(loop.metrics.pending == 0)
    }

    /// Another thread sees what a closure has done that is still under way.
    @Test func aClosureThatHasNotReturnedIsCounted() throws {
        let loop = try threadedLoop()
        let (done, mayEnd) = (Gate(), Gate())
        let handles = (0..<10).map { _ in loop.schedule(after: .hours(1), probe.work()) }
        loop.execute {
            handles.prefix(6).forEach { $0.cancel() }
            for _ in 0..<3 { loop.schedule(after: .hours(1)) {} }
            done.open()
            mayEnd.wait()
        }
        done.wait()
        #expect(loop.metrics.pending == 7)
        mayEnd.open()
        loop.shutdown()
    }

    /// A closure that runs is not pending, nor is a repeat that was stopped.
    @Test func aTimerThatRunsIsNotPending() throws {
        let loop = try manualLoop()
        let seen = Shared<[Int]>()
        loop.schedule(after: .seconds(1)) { seen.append(loop.metrics.pending) }
        loop.advance(by: .seconds(1))
        let timer = LoopTimer(on: loop) { seen.append(loop.metrics.pending) }
        timer.arm(after: .seconds(1))
        loop.advance(by: .seconds(1))
        loop.schedule(every: .seconds(1)) { (tick: Tick) in
            seen.append(loop.metrics.pending)
            tick.cancel()
            seen.append(loop.metrics.pending)
        }
        loop.advance(by: .seconds(2))
        #expect(seen.value == [0, 0, 1, 0])
        #expect(loop.metrics.pending == 0 && loop.metrics.cancelled == 1)
    }

    /// The closure of a timer of another context's is not pending while it runs.
    @Test func aTickElsewhereThatIsToldToStopIsNotPending() throws {
        let loop = try threadedLoop()
        let (begun, mayEnd) = (Gate(), Gate())
        let handle = loop.schedule(every: .milliseconds(1)) {
            begun.open()
            mayEnd.wait()
        }
        begun.wait()
        #expect(loop.metrics.pending == 1)
        #expect(handle.cancel() == .running)
        #expect(loop.metrics.pending == 0 && loop.metrics.cancelled == 1)
        mayEnd.open(1_000)
        loop.endTurn()
        #expect(loop.metrics.pending == 0 && loop.metrics.cancelled == 1)
        loop.shutdown()
    }

    /// A timer that was due, and that another thread moves on before its late loop comes to it.
    @Test func aTimerMovedOnAsItWasDueIsPending() throws {
        let loop = try threadedLoop()
        let (held, mayEnd, ran) = (Gate(), Gate(), Counter())
        let timer = LoopTimer(on: loop) { ran.add() }
        loop.execute {
            timer.arm(after: .milliseconds(1))
            held.open()
            mayEnd.wait()
        }
        held.wait()
        let due = LoopClock.Instant.now.advanced(by: .milliseconds(2))
        while LoopClock.Instant.now < due {}
        timer.arm(after: .hours(1))
        #expect(loop.metrics.pending == 1)
        mayEnd.open()
        loop.endTurn()
        #expect(loop.metrics.pending == 1 && ran.value == 0 && loop.metrics.fired == 0)
        timer.disarm()
        #expect(loop.metrics.pending == 0)
        loop.shutdown()
    }

    /// Moved while its closure runs, on the loop's thread or on another one, which the closure waits for.
    @Test(arguments: [true, false]) func aTimerMovedInItsClosureIsPending(elsewhere: Bool) throws {
        let (loop, kept, seen) = (try manualLoop(), Shared<LoopTimer?>(nil), Shared<[Int]>())
        let move: @Sendable () -> Void = { kept.value?.arm(after: .hours(1)) }
        kept.value = LoopTimer(on: loop) {
            if elsewhere { onThread(move) } else { move() }
            seen.append(loop.metrics.pending)
        }
        kept.value?.arm(after: .seconds(1))
        loop.advance(by: .seconds(2))
        #expect(seen.value == [1] && loop.metrics.pending == 1)
        #expect(kept.value?.disarm() == .cancelled && loop.metrics.pending == 0)
        kept.value = nil
    }

    /// The time limit of a task counts while its body runs.
    @Test func aTimeLimitCountsUntilItsBodyEnds() async throws {
        let loop = try threadedLoop()
        for _ in 0..<3 {
            try await withTimeout(.seconds(3600), on: loop) { timeout in
                #expect(loop.metrics.pending == 1)
                timeout.restart()
                #expect(loop.metrics.pending == 1)
            }
            #expect(loop.metrics.pending == 0)
        }
        #expect(loop.metrics.fired == 0)
        await #expect(throws: SwivelError.self) {
            try await withTimeout(.milliseconds(1), on: loop) {
                try await Task.sleep(for: .seconds(3600))
            }
        }
        #expect(loop.metrics.pending == 0 && loop.metrics.fired == 1)
        await loop.shutdown()
    }

    /// The least loaded loop is known although none of them has run a turn since.
    @Test func theLeastLoadedLoopIsKnownAtOnce() throws {
        let group = try LoopGroup(count: 2)
        let timers = (0..<10).map { _ in LoopTimer(on: group.loops[0]) {} }
        group.loops.forEach { $0.endTurn() }
        let other = LoopTimer(on: group.loops[1]) {}
        for _ in 0..<3 {
            timers.forEach { $0.arm(after: .hours(1)) }
            other.arm(after: .hours(1))
            #expect(group.leastLoaded === group.loops[1])
            timers.forEach { $0.disarm() }
            #expect(group.leastLoaded === group.loops[0])
            other.disarm()
        }
        group.shutdown()
    }
}
