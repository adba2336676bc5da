// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// In processes of their own: a signal is for the whole process.
@Suite struct SignalTests {
    /// Sent right after the call: it would end the process.
    @Test func aSignalIsHeardFromTheReturnOfTheCallOn() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, gate) = (try Loop(), Gate())
                let heard = Shared<[Signal]>()
                loop.signals([.terminate, .user1, .terminate]) {
                    heard.append($0)
                    gate.open()
                }
                kill(getpid(), SIGTERM)
                gate.wait()
                kill(getpid(), SIGUSR1)
                gate.wait(times: 2)
                kill(getpid(), SIGTERM)
                gate.wait(times: 3)
                require(heard.value == [.terminate, .user1, .terminate], "\(heard.value)")
                require(loop.shutdown().cancelledWatches == 2, "each signal is a watch")
            }
        }
    }

    /// Another thread than the sender's may run the handler, while the loop takes the signal over.
    @Test func noSignalIsLostOnItsWayToTheLoop() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                for _ in 0..<2_000 {
                    let (loop, gate) = (try Loop(), Gate())
                    loop.signals([.user1]) { _ in gate.open() }
                    kill(getpid(), SIGUSR1)
                    gate.wait()
                    loop.onThread {}
                    require(gate.opened == 1, "heard \(gate.opened) times")
                    loop.shutdown()
                }
            }
        }
    }

    /// Another loop watches the signal already, or no more, while this one has yet to hear that it
    /// shall.
    @Test(arguments: [false, true])
    func aSecondLoopHearsFromTheReturnOfTheCallOn(firstEnds: Bool) async {
        await #expect(processExitsWith: .success) { [firstEnds] in
            try exitTest {
                let (first, second) = (try Loop(), try Loop.embedded())
                let (heard, late) = (Gate(), Counter())
                let watch = first.signals([.terminate]) { _ in heard.open() }
                first.onThread {}
                second.signals([.terminate]) { _ in late.add() }
                if firstEnds {
                    watch.cancel()
                    first.onThread {}
                }
                kill(getpid(), SIGTERM)
                if !firstEnds { heard.wait() }
                let isHeard = eventually {
                    second.runOnce(.noWait)
                    return late.value > 0
                }
                require(isHeard, "it is lost")
                while second.runOnce(.noWait) {}
                require(late.value == 1, "heard \(late.value) times")
            }
        }
    }

    /// A host may handle signals through libuv, in both orders of their beginning and end. Until a
    /// check has found the host's handler, or that the host has reset the signal, it replaces Swivel's.
    @Test(arguments: [false, true]) func otherCodeHearsThroughLibuv(begins: Bool) async {
        await #expect(processExitsWith: .success) { [begins] in
            try exitTest {
                let (loop, heard) = (try Loop(), Counter())
                var host = begins ? swivel_host_signal_begin(SIGUSR1) : nil
                var watch = loop.signals([.user1]) { _ in heard.add() }
                loop.onThread {}
                let own = swivel_installed_word(SIGUSR1)
                func isBack() -> Bool {
                    eventually {
                        loop.onThread {}
                        return swivel_installed_word(SIGUSR1) == own
                    }
                }
                if !begins { host = swivel_host_signal_begin(SIGUSR1) }
                require(isBack(), "the host's handler stays")
                raiseHere(SIGUSR1)
                require(eventually { heard.value == 1 }, "heard \(heard.value) times")
                require(swivel_host_signal_heard(host) == 1, "the host hears beside a watch")
                watch.cancel()
                loop.onThread {}
                raiseHere(SIGUSR1)
                require(swivel_host_signal_heard(host) == 2, "the host hears alone")
                watch = loop.signals([.user1]) { _ in heard.add() }
                swivel_host_signal_end(host)
                require(isBack(), "the signal has its usual effect")
                raiseHere(SIGUSR1)
                require(eventually { heard.value == 2 }, "heard \(heard.value) times")
            }
        }
    }

    /// One that was ignored is ignored again, and one that other code has adopted stays with it.
    @Test func afterACancelOtherEntriesStay() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop()
                signal(SIGUSR1, SIG_IGN)
                let watch = loop.signals([.user1, .user2]) { _ in }
                loop.onThread {}
                signal(SIGUSR2) { _ in }
                watch.cancel()
                loop.onThread {}
                raiseHere(SIGUSR1)
                raiseHere(SIGUSR2)
            }
        }
    }

    @Test func afterACancelASignalHasItsUsualEffect() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            try exitTest {
                let loop = try Loop()
                let watch = loop.signals([.terminate]) { _ in }
                loop.onThread {}
                watch.cancel()
                loop.onThread {}
                kill(getpid(), SIGTERM)
            }
        }
    }

    /// In a function, which ends before the process does: nothing of it is left for a leak checker,
    /// which does not see the runtime's memory behind a weak reference.
    private static func hearSignals() async throws {
        let loop = try Loop()
        let signals: Signals = loop.signals([.user1, .user2])
        kill(getpid(), SIGUSR2)
        var iterator = signals.makeAsyncIterator()
        require(await iterator.next() == .user2, "it came before the iterator")
        kill(getpid(), SIGUSR1)
        require(await iterator.next() == .user1, "it comes later")
        await loop.shutdown()
        require(await iterator.next() == nil, "the loop is over")
    }

    @Test func signalsAreASequence() async {
        await #expect(processExitsWith: .success) {
            try await suspendingExitTest { try await Self.hearSignals() }
        }
    }

    /// A forked child does not tell the parent's loops of its own signals.
    @Test(.enabled(if: !Machine.isThreadSanitized)) func aChildsSignalIsItsOwn() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                loop.onThread {}
                let code = exitCode(ofChild: {
                    raiseHere(SIGUSR1)
                })
                require(code == 128 + SIGUSR1, "it has its usual effect there, not \(code)")
                for _ in 0..<10 { loop.onThread {} }
                require(heard.value == 0, "the parent's loop heard of the child's signal")
            }
        }
    }

    /// A child that goes on after its parent's terminal has closed ignores that, as its parent did.
    @Test(.enabled(if: !Machine.isThreadSanitized)) func aChildIgnoresWhatItsParentDid() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                signal(SIGHUP, SIG_IGN)
                let loop = try Loop()
                loop.signals([.hangup]) { _ in }
                loop.onThread {}
                let code = exitCode(ofChild: { raiseHere(SIGHUP) })
                require(code == 0, "the child ended with \(code)")
            }
        }
    }

    /// A signal that comes again before it was reported counts once, also next to another's closure.
    @Test func aSignalCountsOnceWhileTheClosureWaits() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, ended, latch) = (try Loop(), Gate(), Latch())
                let heard = Shared<[Signal]>()
                loop.signals([.user1, .user2]) {
                    heard.append($0)
                    if $0 == .user1 { _ = latch.wait() } else { ended.open() }
                }
                raiseHere(SIGUSR1)
                while heard.value.isEmpty { sched_yield() }
                for _ in 0..<5 {
                    raiseHere(SIGUSR2)
                    loop.onThread {}
                    loop.onThread {}
                }
                latch.signal()
                ended.wait()
                loop.shutdown(.drain(within: .seconds(5)))
                require(heard.value == [.user1, .user2], "\(heard.value)")
            }
        }
    }

    @Test func aWatchOfNoSignalsIsOver() async throws {
        let (loop, probe) = (try Loop(), Probe())
        let watch = loop.signals([], probe.work { _ in })
        #expect(!watch.isActive)
        #expect(probe.released == 1)
        for await _ in loop.signals([]) { Issue.record("there are none") }
        await loop.shutdown()
    }
}
