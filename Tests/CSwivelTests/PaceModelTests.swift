// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// The pace as sentences: it keeps what has happened, and asks that each time.
private struct DumbPace {
    enum Look { case inTime, late, vain }

    private var looks: [Look] = []
    private var sleeps: [(late: Int, length: Int)?] = []
    var expectsReply = false

    /// The score after all looks.
    private var score: Int {
        looks.reduce(0) { score, look in
            switch look {
            case .inTime: min(score + 1, 8)
            case .late: score
            case .vain: max(score - 2, 0)
            }
        }
    }

    /// How many probes in a row were late, and by how much the chance of the next is halved.
    private var probes: (late: Int, halved: Int) {
        var late = 0
        var halved = 0
        var score = 0
        for look in looks {
            switch look {
            case .inTime:
                (late, halved, score) = (0, 0, min(score + 1, 8))
            case .late:
                (late, halved) = late == 32 ? (0, 4) : (late + 1, halved)
            case .vain where score > 0:
                score = max(score - 2, 0)
            case .vain:
                (late, halved) = (0, halved < 2 ? halved + 1 : halved)
            }
        }
        return (late, halved)
    }

    mutating func window(left: UInt64, chance: UInt32) -> UInt64 {
        defer { expectsReply = false }
        var window: UInt64 = 0
        if score > 0 {
            window = 5000
        } else if expectsReply {
            let oneIn = UInt64(16) << probes.halved
            window = probes.late > 0 || UInt64(chance) < (1 << 32) / oneIn ? 100_000 : 0
        }
        return left > window ? window : 0
    }

    mutating func looked(found: Bool, took: UInt64) {
        looks.append(!found ? .vain : took <= 5000 ? .inTime : .late)
    }

    /// The kernel's properties, as the sleeps so far show them.
    private var kernel: (late: Int, lead: Int, short: Int) {
        var (late, lead, short) = (0, 0, 0)
        for sleep in sleeps {
            guard let sleep else {
                short = 0
                continue
            }
            late = (late * 7 + sleep.late) / 8
            lead = sleep.late < lead ? (lead + sleep.late) / 2 : lead + (sleep.late - lead) / 8
            lead = min(lead, 50_000)
            short = sleep.length < late * 4 ? short + 1 : 0
        }
        return (late, lead, short)
    }

    var isRush: Bool { kernel.short >= 8 }

    func putOff(now: Int, until: Int) -> Int {
        isRush ? max(until, now + min(2 * kernel.late, 100_000)) : until
    }

    func ask(parked: Int, until: Int) -> Int {
        let isNear = max(until - parked, 0) < 2 * kernel.lead
        return isRush || isNear ? until : until - kernel.lead
    }

    mutating func woke(parked: Int, asked: Int, until: Int, at woke: Int) -> Bool {
        let inTime = woke >= asked
        sleeps.append(inTime ? (woke - asked, max(until - parked, 0)) : nil)
        return inTime
    }
}

@Suite struct PaceModelTests {
    private static let operationsEach = 400
    private static let runs = 40

    /// Looks in phases, so that scores, rows and vain probes get far.
    @Test func looksAgreeWithTheModel() {
        var random = SeededRandom(seed: announcedSeed("looksAgreeWithTheModel"))
        for _ in 0..<Self.runs {
            var pace = swivel_pace()
            var model = DumbPace()
            var mood = 0
            for _ in 0..<Self.operationsEach {
                mood = random.once(in: 40) ? random.below(4) : mood
                if random.once(in: 2) {
                    pace.expects_reply = true
                    model.expectsReply = true
                }
                let left = random.once(in: 4) ? UInt64(random.below(200_000) + 1) : 1 << 40
                let chance = UInt32(truncatingIfNeeded: random.next()) >> UInt32(random.below(9))
                let window = swivel__pace_look(&pace, left, chance)
                #expect(window == model.window(left: left, chance: chance))
                if window == 0 && !random.once(in: 8) { continue }
                let found = mood == 3 ? random.once(in: 2) : mood != 0
                let took = UInt64(
                    mood == 1 ? random.below(5001) : mood == 2 ? 5001 : random.below(9000))
                swivel__pace_looked(&pace, found, took)
                model.looked(found: found, took: took)
            }
        }
    }

    @Test func sleepsAgreeWithTheModel() {
        var random = SeededRandom(seed: announcedSeed("sleepsAgreeWithTheModel"))
        for _ in 0..<Self.runs {
            var pace = swivel_pace()
            var model = DumbPace()
            var now = 1 << 40
            var length = 1
            for _ in 0..<Self.operationsEach {
                length = random.once(in: 30) ? 1 << random.below(24) : length
                var until = now + random.below(length) - (random.once(in: 20) ? 100 : 0)
                #expect(swivel__pace_is_rush(&pace) == model.isRush)
                let putOff = swivel__pace_put_off(&pace, real(now), real(until))
                #expect(putOff.ns == UInt64(model.putOff(now: now, until: until)))
                until = Int(putOff.ns)
                let asked = swivel__pace_ask(&pace, real(now), real(until))
                #expect(asked.ns == UInt64(model.ask(parked: now, until: until)))
                let early = random.once(in: 30)
                let woke = Int(asked.ns) + (early ? -1 : random.below(1 << random.below(18)))
                #expect(
                    swivel__pace_woke(&pace, real(now), asked, real(until), real(woke))
                        == model.woke(parked: now, asked: Int(asked.ns), until: until, at: woke))
                now = max(now, woke) + random.below(1000)
            }
        }
    }

    private func real(_ ns: Int) -> swivel_real {
        swivel_real(ns: UInt64(ns))
    }
}
