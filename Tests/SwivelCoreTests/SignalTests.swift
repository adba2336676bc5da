// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
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

    @Test func eachLoopHearsOfIt() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loops, gate) = ([try Loop(), try Loop()], Gate())
                for loop in loops { loop.signals([.hangup]) { _ in gate.open() } }
                for loop in loops { loop.onThread {} }
                kill(getpid(), SIGHUP)
                gate.wait(times: 2)
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

    /// The loop is over before it has taken the signal over.
    @Test func aRefusedWatchLeavesTheSignalAlone() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            try exitTest {
                let loop = try Loop()
                loop.shutdown()
                let watch = loop.signals([.terminate]) { _ in }
                require(!watch.isActive, "the loop is over")
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
                    var signals = sigset_t()
                    sigemptyset(&signals)
                    sigaddset(&signals, SIGUSR1)
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    raise(SIGUSR1)
                })
                require(code == 128 + SIGUSR1, "it has its usual effect there, not \(code)")
                for _ in 0..<10 { loop.onThread {} }
                require(heard.value == 0, "the parent's loop heard of the child's signal")
            }
        }
    }

    @Test func aSignalThatOtherCodeHandlesTraps() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try exitTest {
                signal(SIGTERM) { _ in }
                let loop = try Loop()
                loop.signals([.terminate]) { _ in }
                loop.onThread {}
            }
        }
        #expect(printed("other code of this process handles SIGTERM already", result))
        #expect(printed("SignalTests.swift", result))
    }

    @Test(arguments: [SIGKILL, SIGSEGV, 0, 99]) func someCannotBeWatched(number: Int32) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [number] in
            try exitTest { try Loop().signals([Signal(rawValue: number)]) { _ in } }
        }
        #expect(printed("cannot be watched", result))
    }

    /// Ended by SIGTERM while its loop sleeps: the signal reaches a thread that does not block it.
    @Test func aSignalWakesASleepingLoop() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, gate) = (try Loop(), Gate())
                loop.signals([.terminate]) { _ in gate.open() }
                for round in 1...20 {
                    require(eventually { loop.metrics.parks > round }, "it does not sleep")
                    kill(getpid(), SIGTERM)
                    gate.wait(times: round)
                }
            }
        }
    }
}
