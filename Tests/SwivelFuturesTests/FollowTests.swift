// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelDispatch
import SwivelFutures
import SwivelTestSupport
import Testing

/// B5: futures that would wait for each other are refused when the last link is made.
@Suite(.offPool) struct FollowTests {
    private static let text = "would never complete"

    @Test func twoPromisesThatFollowEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest(endAfter: 20) {
                let (first, second) = (Promise<Int, Boom>(), Promise<Int, Boom>())
                first.complete(with: second.future)
                second.complete(with: first.future)
                Gate().wait(seconds: 30)
            }
        }
        #expect(printed(Self.text, result))
    }

    @Test func aRingOfManyWhoseLinksComeInAnyOrder() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest(endAfter: 20) {
                var random = Seeded()
                let ring = (0..<10_000).map { _ in Promise<Int, Boom>() }
                for index in ring.indices.shuffled(using: &random) {
                    let next = ring[(index + 1) % ring.count].future
                    ring[index].complete(
                        with: index % 3 == 0 ? next.map(on: .immediate) { $0 } : next)
                }
                Gate().wait(seconds: 30)
            }
        }
        #expect(printed(Self.text, result))
    }

    /// The links of a chain cost the same in every order of their making, and with listeners.
    @Test func aLongChainOfPromisesCostsOnceForEachLink() {
        let length = Machine.scaled(200_000, by: 4)
        for order in 0..<3 {
            var random = Seeded()
            let chain = (0..<length).map { _ in Promise<Int, Boom>() }
            let heard = Counter()
            for promise in chain {
                promise.future.onComplete(on: .immediate) { _ in heard.add() }
            }
            var links = Array(1..<length)
            if order == 1 { links.reverse() }
            if order == 2 { links.shuffle(using: &random) }
            for index in links { chain[index].complete(with: chain[index - 1].future) }
            chain[0].succeed(7)
            #expect(chain[length - 1].future.result == .success(7))
            #expect(heard.value == length)
        }
    }
}
