// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

@Suite struct SeededPostTests {
    /// Three threads post five closures each, one thread after the other; the seed interleaves them.
    private func order(seed: UInt64?) throws -> [String] {
        let loop = try Loop.manual(seed: seed)
        let seen = Shared<[String]>()
        for name in ["a", "b", "c"] {
            let thread = Thread {
                for number in 0..<5 { loop.execute { seen.append("\(name)\(number)") } }
                seen.append("posted")
            }
            let before = seen.value.count
            thread.start()
            while seen.value.count == before { sched_yield() }
        }
        loop.advance(by: .zero)
        return seen.value.filter { $0 != "posted" }
    }

    /// The same seed gives the same order, others give others.
    @Test func aSeedDecidesTheOrder() throws {
        #expect(try order(seed: 7) == order(seed: 7))
        let orders = try Set((0..<20).map { try order(seed: $0) })
        #expect(orders.count > 15)
    }

    /// Whatever the seed, each thread's posts keep their order, and none is lost or comes twice.
    @Test(arguments: 0..<20) func eachThreadKeepsItsOrder(seed: UInt64) throws {
        let all = try order(seed: seed)
        #expect(Set(all).count == 15 && all.count == 15)
        for name in ["a", "b", "c"] {
            #expect(all.filter { $0.hasPrefix(name) } == (0..<5).map { "\(name)\($0)" })
        }
    }

    /// Without a seed they come as they came.
    @Test func withoutASeedTheyComeAsTheyCame() throws {
        let expected = ["a", "b", "c"].flatMap { name in (0..<5).map { "\(name)\($0)" } }
        #expect(try order(seed: nil) == expected)
    }

    /// A post of the loop's own closures is not touched, and one that comes later is not forgotten.
    @Test func ownPostsKeepTheirPlace() throws {
        let loop = try Loop.manual(seed: 1)
        let seen = Shared<[Int]>()
        loop.execute { (0..<10).forEach { number in loop.execute { seen.append(number) } } }
        loop.schedule(after: .seconds(1)) { seen.append(10) }
        #expect(loop.pendingPosts == 2)
        loop.advance(by: .seconds(1))
        #expect(seen.value == Array(0...10))
    }

    /// Posts that did not run when the loop ends are released, and counted.
    @Test func postsThatWaitAreCountedAtTheEnd() throws {
        let loop = try Loop.manual(seed: 1)
        loop.execute {}
        #expect(loop.tryExecute {})
        #expect(loop.shutdown().cancelledPosts == 2)
        #expect(!loop.tryExecute {})
    }
}
