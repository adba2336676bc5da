// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport

/// Timers that the loop and another thread cancel at random, and that are armed anew after their
/// end. None is early, and each ends once.
final class TimerLoad: SoakLoad {
    let name = "timers"
    private let course = Course()
    private let loop: Loop
    private let random: Shared<Seeded>
    private let places: Int
    /// The timer at each place. A place without one is about to get another.
    private let handles: Shared<[TimerHandle?]>
    private let (armed, fired, cancelled) = (Counter(), Counter(), Counter())
    private let isOver = Shared(false)
    private let probe = Probe()

    init(on loop: Loop, count: Int, _ random: Seeded) {
        self.loop = loop
        self.random = Shared(random)
        places = count
        handles = Shared([TimerHandle?](repeating: nil, count: count))
    }

    var done: Int { fired.value + cancelled.value }
    var faults: [String] { course.faults }

    func begin() {
        loop.onThread { [self] in
            for place in 0..<places { arm(place) }
        }
        course.repeating { [self] in
            cancelSome(20)
            loop.execute { [self] in cancelSome(20) }
        }
    }

    private func arm(_ place: Int) {
        let delay = random.update { Duration.milliseconds($0.below(20_000) + 1) }
        let (due, token) = (loop.now + delay, probe.token())
        armed.add()
        // Under the lock, so that the closure finds its handle.
        handles.update { handles in
            handles[place] = loop.schedule(after: delay) { [self] in
                course.expect(loop.now >= due, "a timer is early by \(loop.now.duration(to: due))")
                fired.add()
                clear(place)
                if !isOver.value { arm(place) }
                withExtendedLifetime(token) {}
            }
        }
    }

    /// The timer at this place has ended.
    private func clear(_ place: Int) {
        let ended = handles.update { $0[place].take() }
        course.expect(ended != nil, "a timer has ended twice")
    }

    private func cancelSome(_ count: Int) {
        for _ in 0..<count {
            let place = random.update { [places] in $0.below(places) }
            guard handles.update({ $0[place] })?.cancel() == .cancelled else { continue }
            cancelled.add()
            clear(place)
            arm(place)
        }
    }

    func end() {
        course.end()
        loop.onThread { [self] in
            isOver.value = true
            for handle in handles.value where handle?.cancel() == .cancelled { cancelled.add() }
        }
        let isDone = eventually { [self] in armed.value == fired.value + cancelled.value }
        course.expect(
            isDone, "\(armed.value) armed, \(fired.value) fired, \(cancelled.value) cancelled")
    }
}

/// Tasks that sleep on the loop's clock. A part of them is cancelled.
final class SleepLoad: SoakLoad {
    let name = "sleeps"
    private let course = Course()
    private let loop: Loop
    private let random: Shared<Seeded>
    private let (begun, ended) = (Counter(), Counter())

    init(on loop: Loop, _ random: Seeded) {
        self.loop = loop
        self.random = Shared(random)
    }

    var done: Int { ended.value }
    var faults: [String] { course.faults }

    func begin() {
        course.repeating { [self] in
            let (delay, isCancelled) = random.update { ($0.below(50), $0.below(4) == 0) }
            let task = sleep(for: .milliseconds(delay))
            if isCancelled { task.cancel() }
        }
    }

    private func sleep(for delay: Duration) -> Task<Void, Never> {
        begun.add()
        let start = loop.now
        return Task { [self] in
            let isWhole: Void? = try? await loop.clock.sleep(for: delay)
            course.expect(isWhole == nil || start + delay <= loop.now, "a sleep ended early")
            ended.add()
        }
    }

    func end() {
        course.end()
        let isDone = eventually { [self] in begun.value == ended.value }
        course.expect(isDone, "\(ended.value) of \(begun.value) sleeps ended")
    }
}

/// Entries of a tracker that threads touch at random. None expires before its limit is over.
final class IdleLoad: SoakLoad {
    private static let limit = Duration.milliseconds(300)

    private struct Place {
        var entry: IdleEntry?
        /// When the last touch began.
        var touched: LoopClock.Instant
    }

    let name = "idle entries"
    private let course = Course()
    private let loop: Loop
    private let random: Shared<Seeded>
    private let places: Shared<[Place]>
    private let tracker = Shared<IdleTracker<Int>?>(nil)
    private let expired = Counter()

    init(on loop: Loop, _ random: Seeded) {
        self.loop = loop
        self.random = Shared(random)
        places = Shared([Place](repeating: Place(entry: nil, touched: loop.now), count: 1000))
    }

    var done: Int { expired.value }
    var faults: [String] { course.faults }

    func begin() {
        tracker.value = IdleTracker(on: loop, after: Self.limit) { [weak self] in self?.expire($0) }
        for place in 0..<1000 { add(place) }
        course.repeating { [self] in
            for _ in 0..<10 { touch() }
            loop.execute { [self] in touch() }
        }
    }

    private func add(_ place: Int) {
        places.update { places in
            places[place].touched = loop.now
            places[place].entry = tracker.value?.add(place)
        }
    }

    private func touch() {
        let place = random.update { $0.below(1000) }
        places.update { places in
            let now = loop.now
            if places[place].entry?.touch() == true { places[place].touched = now }
        }
    }

    private func expire(_ numbers: [Int]) {
        for number in numbers {
            let idle = places.update { $0[number].touched }.duration(to: loop.now)
            course.expect(idle >= Self.limit, "an entry expired after \(idle)")
            expired.add()
            add(number)
        }
    }

    func end() {
        course.end()
        loop.onThread { [self] in
            for place in places.value { place.entry?.remove() }
            course.expect(tracker.value?.count == 0, "the tracker has entries left")
            tracker.value = nil
        }
    }
}
