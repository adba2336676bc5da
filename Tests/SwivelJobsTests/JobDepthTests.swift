// SPDX-License-Identifier: Apache-2.0
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// Chains that no stack would hold: threads of these tests have 512 KB.
@Suite struct JobDepthTests {
    private typealias Work = Job<Int, JobFault>
    private static let depth = 20_000

    private static func chain(
        from first: Work, depth: Int = depth, _ alive: Shared<Int>? = nil
    ) -> Work {
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
        onThread(stackSize: 512 * 1024) {
            let job = Self.chain(from: .succeeded(0), depth: 100_000).execute()
            #expect(job.future.result == .success(100_000))
        }
    }

    @Test func twentyThousandThensRunWhenTheFirstEndsLater() {
        onThread(stackSize: 512 * 1024) {
            let hand = JobHand<Int, JobFault>()
            let job = Self.chain(from: hand.make()).execute()
            hand.succeed(1)
            #expect(job.future.result == .success(Self.depth + 1))
        }
    }
}
