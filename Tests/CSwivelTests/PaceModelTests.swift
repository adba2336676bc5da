// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// The pace as sentences: it keeps what has happened, and asks that each time.
private struct DumbPace {
    private var sleeps: [(late: Int, length: Int)?] = []

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

    /// A call and its reply are never held up; a stream is, as long as that brings more.
    @Test func onlyAStreamGathers() {
        var pace = swivel_pace()
        #expect(swivel__pace_gather(&pace, 1) == 0)
        for pauses in [16, 32, 64, 128, 128] as [UInt32] {
            #expect(swivel__pace_gather(&pace, 2) == pauses)
            #expect(swivel__pace_gather(&pace, 1) == 0)
            swivel__pace_gathered(&pace, true)
        }
        swivel__pace_gathered(&pace, false)
        #expect(swivel__pace_gather(&pace, 1_000) == 16)
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

    private func real(_ ns: Int) -> swivel_mono { swivel_mono(ns: UInt64(ns)) }
}
