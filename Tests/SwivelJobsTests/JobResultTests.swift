// SPDX-License-Identifier: Apache-2.0
import SwivelFutures
import SwivelJobs
import SwivelTestSupport
import Testing

/// A result that does not fit into a job, and knows whether it is alive.
private struct Load: Sendable, Equatable {
    let words: SIMD4<Double>
    let capture: JobCapture

    init(_ number: Int, _ alive: Shared<Int>) {
        words = SIMD4(repeating: Double(number))
        capture = JobCapture(alive)
    }

    static func == (left: Load, right: Load) -> Bool { left.words == right.words }
}

/// Results of every size, and when they are released.
@Suite struct JobResultTests {
    private let alive = Shared(0)

    /// Sends `value` through all that reads a result, but for tasks.
    private func expect<Value: Equatable & Sendable>(_ value: Value) {
        let heard = Shared<[Value]>([])
        let job = Job<Value, JobFault> { succeed, _ in succeed(value) }
        job.onSuccess { heard.append($0) }
        job.onComplete { if case .success(let value) = $0 { heard.append(value) } }
        let whole = Job.sequential([job.map { $0 }.then { .succeeded($0) }, .succeeded(value)])
        #expect(whole.execute().future.result == .success([value, value]))
        #expect(heard.value == [value, value])
        #expect(job.future.result == .success(value))
        let failing = Job<Int, Failing<Value>> { _, fail in fail(Failing(value: value)) }
        failing.onFailure { heard.append($0.value) }.execute()
        #expect(failing.future.result == .failure(.failed(Failing(value: value))))
        #expect(heard.value == [value, value, value])
    }

    private struct Failing<Value: Equatable & Sendable>: Error, Equatable { let value: Value }

    @Test func resultsOfEverySizeArrive() {
        expect(UInt8(7))
        expect("a text that is too long to lie inside of a string")
        expect([1, 2, 3])
        expect(SIMD8<Int>(repeating: 9))
        expect(Load(5, alive))
        expect(Int?.none)
    }

    /// Returns what a handler of a job with this value gets.
    private func delivered<Value: Sendable>(_ value: Value) -> Value? {
        let heard = Shared<Value?>(nil)
        Job<Value, Never> { succeed, _ in succeed(value) }.onSuccess { heard.value = $0 }.execute()
        return heard.value
    }

    /// Values that a cast, or a store as `any Sendable`, could turn into another type.
    @Test func aValueKeepsItsType() {
        #expect(delivered(Int??.some(nil)) == .some(.some(nil)))
        #expect(delivered(Int??.none) == .some(nil))
        #expect(delivered(4 as any Sendable) as? Int == 4)
        #expect(delivered(JobFault(code: 3) as any Error) as? JobFault == JobFault(code: 3))
        #expect(delivered({ 7 } as @Sendable () -> Int)?() == 7)
        #expect(delivered({ $0 + 1 } as @Sendable (Int) -> Int)?(7) == 8)
        #expect(delivered(Int.self as any Any.Type) == Int.self)
        #expect(delivered((1, "a"))?.1 == "a")
        #expect(delivered(JobCapture(alive)) != nil && alive.value == 0)
    }

    @Test func aResultThatCountsForNothingIsReleased() {
        let hand = JobHand<Load, JobFault>()
        let job = hand.make().execute()
        hand.succeed(Load(1, alive))
        hand.succeed(Load(2, alive))
        #expect(alive.value == 1)
        #expect(job.future.result == .success(Load(1, alive)))
    }

    @Test func aResultThatACancelReplacesIsReleasedBeforeItReturns() {
        let (queue, notes) = (QueueContext(), Shared<[String]>())
        let job = Job<Load, JobFault>.succeeded(Load(1, alive))
        job.onSuccess(on: queue) { _ in notes.append("success") }
        job.onCancel { notes.append("cancel") }.execute()
        #expect(alive.value == 1)
        job.cancel()
        #expect(alive.value == 0)
        queue.runAll()
        #expect(notes.value == ["cancel"])
        #expect(job.future.result == .failure(.cancelled))
    }
}
