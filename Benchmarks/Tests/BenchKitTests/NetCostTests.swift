// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

struct NetCostTests {
    @Test func theCallsCostIsWhatItsBlocksCostMore() {
        #expect(NetCost.of([100, 150, 100, 150, 100, 150, 100], least: 1, noise: .isCharged) == 50)
    }

    @Test func aMachineThatGrowsSlowerChangesNothing() {
        #expect(NetCost.of([100, 160, 120, 180, 140, 200, 160], least: 1, noise: .isCharged) == 50)
    }

    @Test func oneDisturbedBlockChangesLittle() {
        #expect(NetCost.of([100, 150, 100, 950, 100, 150, 100], least: 1, noise: .isCharged) == 50)
    }

    @Test func aCallBelowTheNoiseIsGivenTheNoise() {
        // The empty blocks differ by 40: no call can be seen to cost less than 20.
        #expect(NetCost.of([100, 121, 140, 119, 100, 120, 140], least: 1, noise: .isCharged) == 20)
    }

    @Test func aRivalIsNotGivenTheNoise() {
        let costs: [Double] = [100, 121, 140, 119, 100, 125, 140]
        #expect(NetCost.of(costs, least: 1, noise: .isIgnored) == 1)
        #expect(NetCost.of(costs.map { $0 * 10 }, least: 1, noise: .isIgnored) == 10)
    }

    @Test func aCallIsNeverFree() {
        #expect(NetCost.of([100, 90, 100, 90, 100], least: 7, noise: .isIgnored) == 7)
    }
}
