// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// Links of a chain that nobody has any more become links of the next chain.
@Suite(.offPool) struct SpareFuturesTests {
    /// Completes a chain of maps, and returns the value at its end.
    private static func chain<Value: Sendable>(
        _ value: Value, of length: Int, _ step: @escaping @Sendable (Value) -> Value
    ) -> Value? {
        let promise = Promise<Value, Never>()
        var future = promise.future
        for _ in 0..<length { future = future.map(on: .immediate, step) }
        promise.succeed(value)
        return future.result?.get()
    }

    /// As `chain`, in code that the compiler does not specialize.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    private static func genericChain<Value: Sendable>(_ value: Value) -> Value? {
        chain(value, of: 5) { $0 }
    }

    /// How many futures the calling thread keeps.
    private static var spares: Int { Trampoline.ofThread.pointee.spareCount }

    #if canImport(Glibc)
    @Test(.disabled(if: Machine.isSanitized)) func aChainConsistsOfTheLinksOfTheOneBefore() {
        onThread {
            #expect(Self.chain(0, of: 20) { $0 + 1 } == 20)
            #expect(Self.spares == 19)
            let promise = Promise<Int, Never>()
            var future = promise.future
            for left in (0..<19).reversed() {
                future = future.map(on: .immediate) { $0 + 1 }
                #expect(Self.spares == left)
            }
            promise.succeed(5)
            #expect(future.result?.get() == 24 && Self.spares == 18)
        }
    }

    @Test(.disabled(if: Machine.isSanitized)) func aThreadGetsUsedToAnotherType() {
        onThread {
            for _ in 0..<3 { _ = Self.chain(0, of: 20) { $0 + 1 } }
            let before = Self.spares
            _ = Self.chain("", of: 5) { $0 + "a" }
            #expect(Self.spares == before - 4)
            for _ in 0..<5 { _ = Self.chain("", of: 20) { $0 + "a" } }
            #expect(Self.spares == 19)
            let future = Future<String, Never>(value: "b").map(on: .immediate) { $0 }
            #expect(future.result?.get() == "b" && Self.spares == 18)
        }
    }

    @Test(.disabled(if: Machine.isSanitized)) func aThreadKeepsABoundedNumber() {
        onThread {
            #expect(Self.chain(0, of: 1_000) { $0 + 1 } == 1_000)
            #expect(Self.spares == 128)
        }
    }

    /// A step that generic code has made keeps the types in memory of its own.
    @Test(.disabled(if: Machine.isSanitized)) func aKeptFutureHoldsNoFunction() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                for number in 0..<100 { _ = Self.genericChain(number) }
                let before = swivel_process_private_kb()
                for number in 0..<60_000 { _ = Self.genericChain(number) }
                // 32 bytes of each link would be 9 MB.
                let grown = swivel_process_private_kb() - before
                require(grown < 4_000, "memory has grown by \(grown) KB")
            }
        }
    }
    #endif

    @Test func aKeptFutureHoldsNothing() {
        onThread {
            let probe = Probe()
            for count in 1...3 {
                let promise = Promise<Int, Never>()
                var future = promise.future.map(on: .immediate) { _ in probe.token() }
                for _ in 0..<5 { future = future.map(on: .immediate) { _ in probe.token() } }
                let end = future.map(on: .immediate) { _ in count }
                promise.succeed(0)
                future = Future(value: probe.token())
                #expect(end.result?.get() == count)
                #expect(probe.released == 7 * count - 1)
            }
        }
    }

    @Test func aWeakReferenceSeesTheEndOfALink() {
        onThread {
            _ = Self.chain(0, of: 20) { $0 + 1 }
            let promise = Promise<Int, Never>()
            var link: Future<Int, Never>? = promise.future.map(on: .immediate) { $0 + 1 }
            weak let watched = link
            let end = link?.map(on: .immediate) { $0 + 1 }
            link = nil
            #expect(watched != nil)
            promise.succeed(0)
            #expect(watched == nil && end?.result?.get() == 2)
            #expect(Self.chain(0, of: 20) { $0 + 1 } == 20)
            #expect(watched == nil)
        }
    }

    @Test func aLinkThatSomebodyHasKeepsItsResult() {
        onThread {
            var links: [Future<Int, Never>] = []
            for number in 0..<50 {
                let promise = Promise<Int, Never>()
                let link = promise.future.map(on: .immediate) { $0 + number }
                let end = link.map(on: .immediate) { $0 + 1 }
                promise.succeed(0)
                if number % 3 == 0 { links.append(link) }
                #expect(end.result?.get() == number + 1)
            }
            for (index, link) in links.enumerated() {
                #expect(link.result?.get() == 3 * index)
                #expect(link.map(on: .immediate) { $0 }.result?.get() == 3 * index)
            }
        }
    }

    /// Mixed types and lengths, whose links are other chains' one after the other.
    @Test func chainsOfMixedTypesGiveTheirValues() {
        onThread {
            for round in 0..<200 {
                #expect(Self.chain(round, of: round) { $0 + 1 } == 2 * round)
                let text = Self.chain("", of: round % 7) { $0 + "x" }
                #expect(text == String(repeating: "x", count: round % 7))
                #expect(Self.chain(0.5, of: 150 - round / 2) { $0 * 2 / 2 } == 0.5)
            }
        }
    }
}
