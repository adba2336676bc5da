// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Many values, one run with the latest.
@Suite(.offPool) struct DebouncerTests {
    /// A value whose release is counted.
    private typealias Item = @Sendable () -> Void

    private let probe = Probe()
    private let runs = Shared<[String]>()

    private func debouncer(
        on loop: Loop, after delay: Int, maxWait: Int? = nil
    ) -> Debouncer<Int> {
        Debouncer(
            on: loop, after: .milliseconds(delay), maxWait: maxWait.map { .milliseconds($0) },
            probe.work { [runs] value in runs.append("\(value) at \(loop.elapsed)") })
    }

    @Test(arguments: [true, false])
    func theLatestValueWins(inside: Bool) throws {
        let loop = try manualLoop()
        let debouncer = debouncer(on: loop, after: 10)
        #expect(!debouncer.isPending)
        for value in 1...50 {
            let call: @Sendable () -> Bool = { debouncer.call(value) }
            #expect(inside ? loop.inside(call) : call())
            #expect(debouncer.isPending)
            loop.advance(by: .milliseconds(3))
        }
        #expect(runs.value.isEmpty)
        loop.advance(by: .milliseconds(20))
        #expect(runs.value == ["50 at 157"] && !debouncer.isPending)
        debouncer.call(51)
        loop.advance(by: .milliseconds(10))
        #expect(runs.value == ["50 at 157", "51 at 180"])
    }

    @Test func maxWaitLimitsASeries() throws {
        let loop = try manualLoop()
        let debouncer = debouncer(on: loop, after: 10, maxWait: 25)
        for value in 0..<20 {
            debouncer.call(value)
            loop.advance(by: .milliseconds(4))
        }
        loop.advance(by: .milliseconds(50))
        #expect(runs.value == ["6 at 25", "13 at 53", "19 at 81"])
    }

    /// A `maxWait` below the delay is a mistake, and one that equals it is not.
    @Test func maxWaitIsNotBelowTheDelay() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            exitTest {
                _ = Debouncer<Int>(
                    on: .immediate, after: .milliseconds(2), maxWait: .milliseconds(1)
                ) { _ in }
            }
        }
        #expect(printed("must not be shorter than its delay", result))
        let loop = try manualLoop()
        debouncer(on: loop, after: 10, maxWait: 10).call(1)
        debouncer(on: loop, after: -10, maxWait: 0).call(2)
        await loop.advance(by: .milliseconds(10))
        #expect(runs.value == ["2 at 0", "1 at 10"])
    }

    /// Values are released at once when they are replaced, refused or dropped, and after their run.
    @Test func valuesAreReleasedAtOnce() throws {
        let loop = try manualLoop()
        let (values, released) = (Probe(), Shared<[Int]>())
        let debouncer = Debouncer<Item>(on: loop, after: .milliseconds(10)) { value in
            value()
            #expect(values.live == 1)
        }
        loop.execute {
            debouncer.call(values.work())
            debouncer.call(values.work())
            released.append(values.released)
            #expect(debouncer.cancel())
            released.append(values.released)
        }
        loop.runDue()
        #expect(released.value == [1, 2])
        debouncer.call(values.work())
        loop.advance(by: .milliseconds(10))
        #expect(values.ran == 1 && values.released == 3)
        debouncer.call(values.work())
        #expect(loop.shutdown().cancelledTimers == 1 && values.released == 4)
        let isTaken = debouncer.call(values.work())
        #expect(!isTaken && values.released == 5 && values.ran == 1)
    }

    /// The release of a value may call the debouncer: no lock is held (C5).
    @Test func theReleaseOfAValueMayCallIt() throws {
        let loop = try manualLoop()
        let (values, box) = (Probe(), Shared<Debouncer<Item>?>(nil))
        let item: @Sendable (Int) -> Item = { depth in
            values.reentrant { if depth > 0 { box.value?.call(values.work()) } }
        }
        let debouncer = Debouncer<Item>(on: loop, after: .milliseconds(10), probe.work { $0() })
        box.value = debouncer
        debouncer.call(item(1))
        // Each release puts another item there.
        debouncer.call(item(1))
        #expect(values.made == 4 && values.released == 3)
        #expect(debouncer.cancel() && values.released == 4)
        debouncer.call(item(1))
        loop.advance(by: .milliseconds(10))
        #expect(probe.ran == 1 && debouncer.isPending, "the item's release follows its run")
        loop.shutdown()
        #expect(values.live == 0)
        box.value = nil
    }

    /// A value that arrives while the body runs begins a new series.
    @Test func aValueInARunBeginsASeries() throws {
        let loop = try manualLoop()
        let (box, runs) = (Shared<Debouncer<Int>?>(nil), runs)
        box.value = Debouncer(
            on: loop, after: .milliseconds(10), maxWait: .milliseconds(15),
            probe.work { (value: Int) in
                if value < 3 { box.value?.call(value + 1) }
                #expect(box.value?.isPending == (value < 3))
                runs.append("\(value) at \(loop.elapsed)")
            })
        box.value?.call(1)
        loop.advance(by: .milliseconds(100))
        #expect(runs.value == ["1 at 10", "2 at 20", "3 at 30"])
        box.value = nil
    }

    /// On every kind of context: the run gets the latest value, and a dropped run releases it.
    @Test func itRunsOnAnyContext() throws {
        let queue = QueueContext()
        func verify<Context: ExecutionContext>(_ context: Context) {
            let (values, arrived) = (Probe(), queue.arrived)
            let debouncer = Debouncer<Item>(on: context, after: .zero, probe.work { $0() })
            for _ in 1...3 { debouncer.call(values.work()) }
            queue.waitForArrivals(arrived + 1)
            // On its way: the run starts with what comes now, if that is not put off.
            #expect(debouncer.flush() && debouncer.call(values.work()) && values.live == 1)
            queue.runAll()
            #expect(values.ran == 1 && eventually { values.released == 4 })
            debouncer.call(values.work())
            debouncer.flush()
            queue.waitForArrivals(arrived + 2)
            queue.dropNext()
            #expect(values.ran == 1 && eventually { values.live == 0 && !debouncer.isPending })
        }
        for context in contexts(on: queue) { verify(context) }
    }

    @Test func aFlushRunsThePendingValue() async throws {
        let loop = try threadedLoop()
        let debouncer = Debouncer<Int>(
            on: loop, after: .hours(1), probe.work { [runs] in runs.append("\($0)") })
        await debouncer.flushAndWait()
        #expect(!debouncer.flush() && runs.value.isEmpty)
        for value in 1...3 { debouncer.call(value) }
        await debouncer.flushAndWait()
        #expect(runs.value == ["3"] && !debouncer.isPending)
        await loop.shutdown()
    }

    @Test func callsThatRaceMakeOneRun() throws {
        let loop = try manualLoop()
        let debouncer = debouncer(on: loop, after: 10)
        for round in 1...Machine.scaled(100) {
            onThreads(3) { thread in
                for number in 1...50 { debouncer.call(100 * thread + number) }
            }
            loop.advance(by: .milliseconds(10))
            #expect(runs.value.count == round && runs.value.last?.contains("50 at") == true)
        }
    }

    /// Threads call, cancel and flush at once: no value runs twice, a thread's values run in order,
    /// and what is there at the end is the last value of a thread.
    @Test(arguments: [true, false]) func callsRace(onLoop: Bool) throws {
        var seeded = Seeded()
        let (loop, values, threads) = (try threadedLoop(), Probe(), 3)
        for round in 0..<Machine.scaled(200) {
            let ran = Shared<[[Int]]>([])
            let body: @Sendable ((thread: Int, number: Int, item: Item)) -> Void = { value in
                value.item()
                ran.append([value.thread, value.number])
            }
            let debouncer =
                onLoop
                ? Debouncer(on: loop, after: .microseconds(50), body)
                : Debouncer(on: DirectContext(loop: loop), after: .microseconds(50), body)
            let seeds = (0...threads).map { _ in seeded.split() }
            onThreads(threads + 1) { thread in
                var random = seeds[thread]
                for number in 1...200 {
                    if thread < threads {
                        #expect(debouncer.call((thread, number, values.work())))
                    } else if random.below(2) == 0 {
                        debouncer.cancel()
                    } else {
                        debouncer.flush()
                    }
                }
            }
            debouncer.call((threads, 1, values.work()))
            #expect(eventually { !debouncer.isPending && ran.value.last == [threads, 1] })
            for thread in 0...threads {
                let numbers = ran.value.filter { $0[0] == thread }.map { $0[1] }
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(round)")
            }
        }
        loop.shutdown()
        #expect(values.live == 0)
    }
}

/// A loop behind a context that is no loop.
private struct DirectContext: ExecutionContext {
    let loop: Loop

    func execute(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }
    var isCurrent: Bool { loop.isCurrent }
}
