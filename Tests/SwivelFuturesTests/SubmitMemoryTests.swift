// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// Work in a queue does not keep its context, and neither does a result. See also ``DeferredFreeTests``.
@Suite(.offPool) struct SubmitMemoryTests {
    @Test func workThatFailsGivesItsMemoryBackToo() throws {
        let loop = try Loop()
        let probe = Probe()
        for code in 1...1_500 {
            let work = probe.work { code }
            let future: Future<Int, Boom> = loop.submit { () throws(Boom) in
                throw Boom(code: work())
            }
            if code % 500 == 0 { #expect(future.awaitedError == Boom(code: code)) }
        }
        loop.submit {}.await()
        #expect(probe.released == 1_500)
        loop.shutdown()
    }

    @Test func queuedWorkDoesNotKeepItsLoop() throws {
        let probe = Probe()
        weak var gone: Loop?
        let (failing, silent): (Future<Int, any Error>, Future<Int, Never>)
        do {
            let loop = try Loop.manual(seed: 1)
            gone = loop
            failing = loop.submit(probe.work { 1 } as @Sendable () throws -> Int)
            silent = loop.submit(probe.work { 2 })
        }
        #expect(gone == nil)
        #expect(probe.released == 2 && probe.ran == 0)
        #expect(failing.isFailure && !silent.isCompleted)
    }

    @Test func callbacksThatWaitKeepTheirLoop() throws {
        weak var kept: Loop?
        let promise = Promise<Int, Never>()
        do {
            let loop = try Loop.manual(seed: 1)
            kept = loop
            promise.future.map(on: loop) { $0 + 1 }.onComplete(on: .immediate) { _ in }
        }
        #expect(kept != nil)
        promise.succeed(1)
        kept?.advance(by: .zero)
        #expect(kept == nil)
    }
}
