// SPDX-License-Identifier: Apache-2.0
import CSwivel
import CSwivel.Internal
@testable import SwivelCore
import SwivelTestSupport
import Testing

/// Closures that are released without an atomic operation.
@Suite(.offPool) struct SoleReferenceTests {
    private let probe = Probe()

    /// An object that is the context of a closure of its method.
    private final class Target: Sendable {
        private let token: Probe.Token

        init(_ probe: Probe) { token = probe.token() }

        func run() {}
    }

    private func contextOfClosure(_ work: @escaping @Sendable () -> Void) -> UInt {
        UInt(Work.words(work).context)
    }

    private func release(_ context: UInt) {
        Work.release(swivel_work(function: 0, context: context))
    }

    @Test func aClosureThatNobodyElseHasIsReleasedAlone() throws {
        _ = try manualLoop()
        for round in 1...100 {
            let context = contextOfClosure(probe.work())
            #expect(probe.released == round - 1)
            #expect(swivel__release_sole(context))
            #expect(probe.released == round)
        }
    }

    @Test func aClosureThatIsHeldElsewhereIsNot() throws {
        _ = try manualLoop()
        let work = probe.work()
        let context = withExtendedLifetime(work) {
            let context = contextOfClosure(work)
            #expect(!swivel__release_sole(context))
            return context
        }
        #expect(probe.released == 0)
        release(context)
    }

    /// Another thread may make a strong reference of these at any moment.
    @Test(arguments: [true, false])
    func anObjectWithAWeakOrUnownedReferenceIsNot(isWeak: Bool) throws {
        _ = try manualLoop()
        let target = Unmanaged.passRetained(Target(probe))
        let address = UInt(bitPattern: target.toOpaque())
        weak let watched = isWeak ? target.takeUnretainedValue() : nil
        unowned let named = isWeak ? nil : target.takeUnretainedValue()
        #expect(!swivel__release_sole(address))
        #expect((watched ?? named) != nil)
        release(address)
        #expect(probe.released == 1 && watched == nil)
    }

    /// One thread releases the closure, and the other one makes a strong reference of a weak one.
    @Test func aReferenceMadeMeanwhileKeepsTheObject() throws {
        final class Round: Sendable {
            let start = StartingLine(2)
            let address: UInt
            // `nonisolated(unsafe)` because a weak reference is thread-safe.
            nonisolated(unsafe) weak var watched: Target?

            init(_ target: Target) {
                watched = target
                address = UInt(bitPattern: Unmanaged.passRetained(target).toOpaque())
            }
        }
        _ = try manualLoop()
        let rounds = (0..<Machine.scaled(20_000)).map { _ in Round(Target(probe)) }
        onThreads(2) { number in
            for round in rounds {
                round.start.lineUp()
                if number == 0 {
                    Work.release(swivel_work(function: 0, context: round.address))
                } else {
                    round.watched?.run()
                }
            }
        }
        #expect(probe.released == rounds.count)
    }
}
