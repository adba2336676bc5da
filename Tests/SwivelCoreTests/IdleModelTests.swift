// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// An `IdleTracker` against a dictionary that knows what must be there: T1.
@Suite(.offPool) struct IdleModelTests {
    /// Random adds, touches, removes and waits against a dictionary. Virtual time.
    @Test func randomUseDoesAsTheModelSays() throws {
        var random = Seeded()
        for _ in 0..<20 {
            var fixture = try IdleFixture(random.split())
            for step in 0..<Machine.scaled(3_000) {
                if let mistake = fixture.step() {
                    Issue.record("step \(step): \(mistake)")
                    return
                }
            }
            #expect(fixture.end() == nil)
        }
    }
}

private struct IdleFixture {
    private struct Expected {
        var entry: IdleEntry
        var touched: UInt64
        var order: Int
    }

    private static let limit: UInt64 = 1_000_000_000

    private let loop: Loop
    private let idle: IdleTracker<Int>
    private let resolution: UInt64
    private let expired: Shared<[(id: Int, at: UInt64)]>
    private var random: Seeded
    private var live: [Int: Expected] = [:]
    private var gone: [IdleEntry] = []
    private var next = 0

    init(_ random: Seeded) throws {
        self.random = random
        resolution =
            [62_500_000, 10_000_000, 400_000_000][Int.random(in: 0..<3, using: &self.random)]
        let loop = try manualLoop()
        let expired = Shared<[(id: Int, at: UInt64)]>([])
        self.loop = loop
        self.expired = expired
        idle = IdleTracker<Int>(
            on: loop, after: .nanoseconds(Self.limit), resolution: .nanoseconds(resolution)
        ) { [weak loop] ids in
            let now = loop?.now.nanoseconds ?? 0
            expired.update { $0 += ids.map { ($0, now) } }
        }
    }

    mutating func step() -> String? {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: add()
        case 6..<13: touch()
        case 13..<15: remove()
        case 15: useStale()
        default: advance(by: UInt64.random(in: 0...150_000_000, using: &random))
        }
    }

    mutating func end() -> String? {
        advance(by: 3 * Self.limit) ?? (live.isEmpty && idle.count == 0 ? nil : "some are left")
    }

    private mutating func add() -> String? {
        let (id, idle) = (next, idle)
        next += 1
        let entry = isInside ? loop.inside { idle.add(id) } : idle.add(id)
        live[id] = Expected(entry: entry, touched: loop.now.nanoseconds, order: next)
        return idle.count == live.count ? nil : "\(idle.count) entries, not \(live.count)"
    }

    private mutating func touch() -> String? {
        guard let (id, found) = live.randomElement(using: &random) else { return nil }
        next += 1
        live[id]?.touched = loop.now.nanoseconds
        let isThere = isInside ? loop.inside { found.entry.touch() } : found.entry.touch()
        return isThere ? nil : "\(id) was not there"
    }

    private mutating func remove() -> String? {
        guard let (id, found) = live.randomElement(using: &random) else { return nil }
        live[id] = nil
        gone.append(found.entry)
        let isThere = isInside ? loop.inside { found.entry.remove() } : found.entry.remove()
        return isThere && idle.count == live.count ? nil : "\(id) was not there"
    }

    private mutating func useStale() -> String? {
        guard let entry = gone.randomElement(using: &random) else { return nil }
        return entry.touch() || entry.remove() ? "an entry that is gone is there" : nil
    }

    private var isInside: Bool { mutating get { Bool.random(using: &random) } }

    private mutating func advance(by nanoseconds: UInt64) -> String? {
        loop.advance(by: .nanoseconds(nanoseconds))
        let now = loop.now.nanoseconds
        var last: (UInt64, UInt64) = (0, 0)
        for (id, instant) in expired.value {
            guard let found = live.removeValue(forKey: id) else { return "\(id) expired twice" }
            gone.append(found.entry)
            if instant < found.touched + Self.limit { return "\(id) is early" }
            if instant > found.touched + Self.limit + resolution { return "\(id) is late" }
            if (instant, found.touched) < last { return "\(id) is out of order" }
            last = (instant, found.touched)
        }
        expired.value = []
        let late = live.first { $0.value.touched + Self.limit + resolution < now }
        return late.map { "\($0.key) has not expired" }
    }
}
