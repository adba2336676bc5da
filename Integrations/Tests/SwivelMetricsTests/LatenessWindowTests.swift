// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SwivelMetrics

@Suite struct LatenessWindowTests {
    @Test func aQuantileIsTheUpperEndOfItsBucket() {
        // One on time, eight below 1024 ns, one below 2048 ns.
        var buckets = [Int](repeating: 0, count: 64)
        (buckets[0], buckets[10], buckets[11]) = (1, 8, 1)
        let window = LatenessWindow(buckets: buckets)
        #expect(window.quantile(0.1) == 0)
        #expect(window.quantile(0.5) == 1024e-9)
        #expect(window.quantile(0.9) == 1024e-9)
        #expect(window.quantile(0.99) == 2048e-9)
    }

    @Test func withoutFiresThereIsNoLateness() {
        #expect(LatenessWindow(buckets: []).quantile(0.5) == 0)
        #expect(LatenessWindow(buckets: [0, 0]).quantile(0.99) == 0)
    }
}
