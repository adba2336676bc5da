// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Idle timeouts under one timer: T1, F3.
@Suite(.offPool) struct IdleTrackerTests {
    private let probe = Probe()

    /// The tracker takes its closure and its entries with it, and the handles know.
    @Test func releasingTheTrackerForgetsAll() throws {
        let loop = try manualLoop()
        let expired = Counter()
        var idle: IdleTracker<Held>? = IdleTracker(
            on: loop, after: .seconds(1), probe.work { expired.add($0.count) })
        let entries = (0..<2000).compactMap { _ in idle?.add(Held(probe.token())) }
        idle = nil
        #expect(probe.live == 0)
        loop.advance(by: .seconds(5))
        #expect(expired.value == 0)
        #expect(entries.allSatisfy { !$0.touch() && !$0.remove() })
    }

    /// T1: a closure that waits for others, next to a watch, touches an entry afterwards.
    @Test func aTouchAfterNestedWaitsCounts() throws {
        let (loop, pipe, limit) = (try Loop(), try TestPipe(), Duration.milliseconds(300))
        let watch = loop.watch(pipe.read) { _ in }
        // On a busy machine the entry may expire before it is touched: then once more.
        while true {
            let (touched, expired, isExpired) = (Shared(loop.now), Shared(loop.now), Gate())
            let tracker = IdleTracker<Int>(
                on: loop, after: limit, resolution: .milliseconds(10)
            ) { _ in
                expired.value = loop.now
                isExpired.open()
            }
            let (entry, counts) = (tracker.add(1), Shared(false))
            let (outer, inner) = (Latch(), Latch())
            loop.execute {
                loop.schedule(after: .milliseconds(5)) {
                    loop.schedule(after: .milliseconds(200)) { inner.signal() }
                    _ = inner.wait()
                    outer.signal()
                }
                _ = outer.wait()
                touched.value = loop.now
                counts.value = entry.touch()
            }
            isExpired.wait()
            loop.onThread {}
            if !counts.value { continue }
            #expect(touched.value.duration(to: expired.value) >= limit)
            break
        }
        watch.cancel()
        loop.shutdown()
    }

    /// A tracker uses the room of one that is gone; old handles reach nothing in it.
    @Test func handlesOfAGoneTrackerReachNothing() throws {
        let loop = try manualLoop()
        var first: IdleTracker<Int>? = IdleTracker(on: loop, after: .seconds(1)) { _ in }
        let old = (0..<1500).compactMap { first?.add($0) }
        first = nil
        let expired = Counter()
        let second = IdleTracker<Int>(on: loop, after: .seconds(1)) { expired.add($0.count) }
        let entries = (0..<1500).map { second.add($0) }
        loop.advance(by: .milliseconds(999))
        #expect(old.allSatisfy { !$0.touch() && !$0.remove() })
        #expect(loop.inside { old.allSatisfy { !$0.touch() } } && second.count == 1500)
        loop.advance(by: .milliseconds(1))
        #expect(expired.value == 1500 && !entries.contains { $0.touch() })
    }

    /// A tracker that has the room of one on another loop goes by its own loop's time.
    @Test func roomFromAnotherLoopHasTheNewLoopsTime() throws {
        let (old, new) = (try manualLoop(), try manualLoop())
        old.advance(by: .seconds(3_600))
        var first: IdleTracker<Int>? = IdleTracker(on: old, after: .seconds(1)) { _ in }
        first?.add(0)
        first = nil
        let expired = Shared<[Int]>()
        let second = IdleTracker<Int>(on: new, after: .seconds(30)) { expired.value += $0 }
        let entries = [second.add(1), second.add(2)]
        new.advance(by: .seconds(20))
        #expect(new.inside { entries[0].touch() })
        #expect(entries[1].touch())
        new.advance(by: .seconds(30))
        #expect(expired.value.sorted() == [1, 2] && second.count == 0)
    }

    /// A crowd expires in steps, between which posts run.
    @Test func aCrowdExpiresInStepsBetweenWhichPostsRun() throws {
        let loop = try manualLoop()
        let log = Shared<[Int]>()
        let idle = IdleTracker<Int>(on: loop, after: .seconds(1)) { [weak loop] ids in
            log.append(ids.count)
            loop?.execute { log.append(0) }
        }
        let count = 50_000
        for id in 0..<count { idle.add(id) }
        loop.advance(by: .seconds(2))
        let batches = log.value.filter { $0 > 0 }
        #expect(batches.reduce(0, +) == count && batches.allSatisfy { $0 <= 1024 })
        let pairs = zip(log.value, log.value.dropFirst())
        #expect(pairs.allSatisfy { ($0 > 0) != ($1 > 0) }, "a post after each batch")
    }

    /// An entry that was found expired, and is touched before its turn comes, lives on.
    @Test func aTouchBeforeItsEndSavesAnEntry() throws {
        let loop = try manualLoop()
        let expired = Shared<[Int]>()
        let last = Shared<IdleEntry?>(nil)
        let saved = Shared(false)
        let idle = IdleTracker<Int>(on: loop, after: .seconds(1)) { ids in
            if expired.value.isEmpty { saved.value = last.value?.touch() ?? false }
            expired.value += ids
        }
        for id in 0..<3000 { last.value = idle.add(id) }
        loop.advance(by: .seconds(1))
        #expect(saved.value && expired.value == Array(0..<2999) && idle.count == 1)
        loop.advance(by: .seconds(2))
        #expect(expired.value.last == 2999 && idle.count == 0)
    }

    /// The closure may add, touch and remove, and let its tracker go.
    @Test func theClosureMayUseTheTracker() throws {
        let loop = try manualLoop()
        let seen = Shared<[Int]>()
        let tracker = Shared<IdleTracker<Int>?>(nil)
        let kept = Shared<IdleEntry?>(nil)
        tracker.value = IdleTracker<Int>(on: loop, after: .seconds(1)) { ids in
            seen.value += ids
            kept.value?.remove()
            if seen.value.count < 5 {
                tracker.value?.add(seen.value.count)
            } else {
                tracker.value = nil
            }
        }
        tracker.value?.add(0)
        loop.advance(by: .milliseconds(500))
        kept.value = tracker.value?.add(99)
        loop.advance(by: .seconds(30))
        #expect(seen.value == [0, 1, 2, 3, 4])
        #expect(tracker.value == nil)
    }

    /// Never early, also for a touch at the end of a long turn, whose time is that of its beginning.
    @Test func aTouchInALongTurnCounts() throws {
        let loop = try threadedLoop()
        let touched = Shared(LoopClock.Instant.now)
        let late = Shared<[Duration]>()
        let idle = IdleTracker<Int>(
            on: loop, after: .milliseconds(30), resolution: .milliseconds(2)
        ) { _ in
            late.append(touched.value.duration(to: .now))
        }
        for _ in 0..<5 {
            let entry = idle.add(0)
            loop.onThread {
                usleep(25_000)
                touched.value = .now
                entry.touch()
            }
            #expect(eventually { idle.count == 0 })
        }
        loop.shutdown()
        #expect(late.value.count == 5)
        #expect(late.value.allSatisfy { $0 >= .milliseconds(30) }, "\(late.value)")
    }

    /// Clocks count beyond what a signed number holds.
    @Test(arguments: [-2, -1, 0, 1] as [Int])
    func touchesCountWhereTheClockIsEnormous(seconds: Int) throws {
        let middle = LoopClock.Instant(nanoseconds: 1 << 63)
        let loop = try Loop.manual(
            startingAt: middle.advanced(by: .seconds(seconds)))
        let came = Shared<[Int]>()
        let tracker = IdleTracker<Int>(on: loop, after: .seconds(3)) { ids in
            came.update { $0 += ids }
        }
        let entry = tracker.add(1)
        for _ in 0..<3 {
            loop.advance(by: .seconds(2))
            #expect(entry.touch())
        }
        #expect(came.value == [])
        loop.advance(by: .seconds(3))
        #expect(came.value == [1])
    }

    /// On a loop that is shut down nothing expires, and nothing is lost.
    @Test func aLoopThatIsOverKeepsTheEntries() throws {
        let loop = try threadedLoop()
        let expired = Counter()
        let idle = IdleTracker<Int>(on: loop, after: .milliseconds(1)) { expired.add($0.count) }
        loop.shutdown()
        let entry = idle.add(1)
        #expect(entry.touch() && idle.count == 1 && expired.value == 0)
        #expect(entry.remove() && idle.count == 0)
    }

    /// Senseless limits trap, and name the caller's line.
    @Test func senselessLimitsTrap() async {
        let results = [
            await #expect(processExitsWith: .failure, observing: standardError) {
                let loop = try Loop.manual()
                _ = IdleTracker<Int>(on: loop, after: .zero) { _ in }
            },
            await #expect(processExitsWith: .failure, observing: standardError) {
                let loop = try Loop.manual()
                _ = IdleTracker<Int>(
                    on: loop, after: .seconds(1), resolution: .seconds(-1)
                ) { _ in }
            },
        ]
        for result in results {
            #expect(printed("an IdleTracker needs a limit and a resolution above zero", result))
            #expect(printed("IdleTrackerTests.swift", result))
        }
    }
}

/// An ID that holds a token.
private struct Held: Hashable {
    let token: Probe.Token

    init(_ token: Probe.Token) { self.token = token }

    static func == (a: Held, b: Held) -> Bool { a.token === b.token }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(token)) }
}
