// SPDX-License-Identifier: Apache-2.0
import SwivelFutures
import Testing

/// Chains that no stack would hold: threads of these tests have 512 KB.
@Suite struct JobDepthTests {
    private typealias Work = Job<Int, JobFault>
    private static let depth = 100_000

    private static func chain(from first: Work, _ alive: JobBox<Int>? = nil) -> Work {
        var job = first
        for _ in 0..<depth {
            let capture = alive.map { JobCapture($0) }
            job = job.then { value in
                withExtendedLifetime(capture) { Work.succeeded(value + 1) }
            }
        }
        return job
    }

    @Test func aHundredThousandThensRun() {
        onJobThreads(1) { _ in
            #expect(Self.chain(from: .succeeded(0)).execute().future.result == .success(Self.depth))
        }
    }

    @Test func aHundredThousandThensRunWhenTheFirstEndsLater() {
        onJobThreads(1) { _ in
            let hand = JobHand<Int, JobFault>()
            let job = Self.chain(from: hand.make()).execute()
            hand.succeed(1)
            #expect(job.future.result == .success(Self.depth + 1))
        }
    }

    @Test func aHundredThousandThensInsideEachOtherRun() {
        onJobThreads(1) { _ in
            @Sendable func count(_ number: Int) -> Work {
                number == 0 ? .succeeded(0) : Work.succeeded(number).then { count($0 - 1) }
            }
            #expect(count(Self.depth).execute().future.result == .success(0))
        }
    }

    @Test func aHundredThousandThensAreCancelled() {
        onJobThreads(1) { _ in
            let hand = JobHand<Int, JobFault>()
            let first = hand.make()
            let job = Self.chain(from: first).execute()
            job.cancel()
            #expect(first.state == .cancelled)
            let other = JobHand<Int, JobFault>().make()
            let whole = Self.chain(from: other).execute()
            other.cancel()
            #expect(whole.state == .cancelled)
        }
    }

    @Test func aHundredThousandThensAreDropped() {
        onJobThreads(1) { _ in
            let alive = JobBox(0)
            do {
                let job = Self.chain(from: .succeeded(0), alive)
                #expect(job.state == .notExecuted)
                #expect(alive.value == Self.depth)
            }
            #expect(alive.value == 0)
            do {
                let future = {
                    Self.chain(from: Work { _, _ in }, alive).execute().future
                }()
                #expect(future.result == .failure(.abandoned))
            }
            #expect(alive.value == 0)
        }
    }

    @Test func tenThousandPartsRun() {
        onJobThreads(1) { _ in
            let parts = { (0..<10_000).map { Work.succeeded($0) } }
            #expect(Job.sequential(parts()).execute().future.result?.value?.last == 9_999)
            #expect(Job.concurrent(parts()).execute().future.result?.value?.last == 9_999)
        }
    }
}
