// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Testing

/// The bands of a pool's queue. A number's last digit is its band.
@Suite struct PoolBandTests {
    private let fixture: PoolFixture
    private let bands = Int(SWIVEL_POOL_BANDS)

    init() throws { fixture = try PoolFixture(width: 1, limit: 1) }

    private func push(_ count: Int, in band: Int) {
        for number in 0..<count { _ = fixture.push(10 * number + band, band: band) }
    }

    private func takeAll() -> [Int] { Array(sequence(state: ()) { _ in fixture.take() }) }

    @Test func higherBandsComeFirst() {
        for band in (0..<bands).reversed() { push(3, in: band) }
        #expect(takeAll() == (0..<bands).flatMap { band in (0..<3).map { 10 * $0 + band } })
    }

    @Test func aBandIsInOrder() {
        push(2000, in: bands - 1)
        #expect(takeAll() == (0..<2000).map { 10 * $0 + bands - 1 })
    }

    /// Each lower band gets its share, however much work the highest one has.
    @Test func noBandStarves() {
        push(1000, in: 0)
        for band in 1..<bands { push(10, in: band) }
        let taken = takeAll()
        #expect(taken.count == 1000 + 10 * (bands - 1))
        for band in 1..<bands {
            for (count, place) in taken.indices.filter({ taken[$0] % 10 == band }).enumerated() {
                // Two lower bands may be due at once.
                #expect(place < (count + 1) * (32 + bands), "band \(band)")
            }
        }
    }

    /// Reference: for each band a list, and how often it was passed over.
    @Test func anyOrderOfPushesAndTakes() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var lists = [[Int]](repeating: [], count: bands)
        var passed = [Int](repeating: 0, count: bands)
        for number in 0..<5000 {
            if Bool.random(using: &random) {
                let band = Int.random(in: 0..<bands, using: &random)
                lists[band].append(number)
                _ = fixture.push(number, band: band)
            } else {
                let filled = (0..<bands).filter { !lists[$0].isEmpty }
                for band in filled.dropFirst() { passed[band] += 1 }
                let chosen = filled.dropFirst().last { passed[$0] >= 32 } ?? filled.first
                if let chosen { passed[chosen] = 0 }
                let expected = chosen.map { lists[$0].removeFirst() }
                #expect(fixture.take() == expected, "seed \(seed)")
            }
        }
        while fixture.take() != nil {}
    }

    /// Work of a low band that waits behind blocked workers is overdue as any other.
    @Test func theMonitorSeesEachBand() throws {
        let worker = PoolWorker(fixture)
        _ = fixture.push(0, band: 1)
        #expect(worker.next().number == 0)
        #expect(fixture.push(1, band: bands - 1).contains(.monitor))
        #expect(fixture.count.queued == 1)
        while fixture.take() != nil {}
    }
}
