// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Runs turns until Swivel's handler is back, which a check each tenth of a second sees to.
private func handlerIsBack(_ number: Int32, on loop: Loop) -> Bool {
    eventually(seconds: 2) {
        loop.onThread {}
        return swivel_installed(number) == SWIVEL_INSTALLED_UNKNOWN
    }
}

/// Whether the closure was called `count` times, and is not called again.
private func isHeard(_ heard: Counter, _ count: Int, on loop: Loop) -> Bool {
    let isHeard = eventually { heard.value >= count }
    for _ in 0..<10 { loop.onThread {} }
    return isHeard && heard.value == count
}

/// W4: signals that other code of the process handles as well. In processes of their own: a signal
/// is for the whole process.
@Suite struct SignalsBesideHandlersTests {
    @Test(arguments: [false, true]) func aHandlerThatWasThereIsCalledToo(takesInfo: Bool) async {
        await #expect(processExitsWith: .success) { [takesInfo] in
            try exitTest {
                swivel_other_install(SIGTERM, takesInfo, false)
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.terminate]) { _ in heard.add() }
                for count in 1...3 {
                    raiseHere(SIGTERM)
                    require(isHeard(heard, count, on: loop), "heard \(heard.value) times")
                    require(swivel_other_calls() == count, "the other handler is called too")
                }
                require(swivel_other_had_info(), "with the signal's information")
            }
        }
    }

    /// The second and the fourth call the handler that they have replaced, which calls them.
    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func aHandlerThatComesLaterIsCalledToo(takesInfo: Bool, chains: Bool) async {
        await #expect(processExitsWith: .success) { [takesInfo, chains] in
            try exitTest {
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                loop.onThread {}
                swivel_other_install(SIGUSR1, takesInfo, chains)
                require(handlerIsBack(SIGUSR1, on: loop), "it stays replaced")
                for count in 1...3 {
                    raiseHere(SIGUSR1)
                    require(isHeard(heard, count, on: loop), "heard \(heard.value) times")
                    require(swivel_other_calls() == count, "called \(swivel_other_calls()) times")
                }
                require(!takesInfo || swivel_other_had_info(), "with the signal's information")
            }
        }
    }

    /// Both of two handlers, one from before and one from afterwards.
    @Test func eachHandlerThatWasFoundIsCalled() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                swivel_other_install(SIGUSR1, true, false)
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                loop.onThread {}
                swivel_other_install(SIGUSR1, false, false)
                require(handlerIsBack(SIGUSR1, on: loop), "it stays replaced")
                raiseHere(SIGUSR1)
                require(isHeard(heard, 1, on: loop), "heard \(heard.value) times")
                require(swivel_other_calls() == 2, "called \(swivel_other_calls()) times")
            }
        }
    }

    /// Other code handles the signal no more, and says so by the system's default.
    @Test(arguments: [false, true]) func aSignalIsHeardAfterOtherCodeHasResetIt(
        ignores: Bool
    ) async {
        await #expect(processExitsWith: .success) { [ignores] in
            try exitTest {
                swivel_other_install(SIGUSR2, false, false)
                let (loop, heard) = (try Loop(), Counter())
                let watch = loop.signals([.user2]) { _ in heard.add() }
                loop.onThread {}
                signal(SIGUSR2, ignores ? SIG_IGN : SIG_DFL)
                require(handlerIsBack(SIGUSR2, on: loop), "it stays reset")
                raiseHere(SIGUSR2)
                require(isHeard(heard, 1, on: loop), "heard \(heard.value) times")
                require(swivel_other_calls() == 0, "its handler is not called any more")
                watch.cancel()
                loop.onThread {}
                let after = ignores ? SWIVEL_INSTALLED_IGNORED : SWIVEL_INSTALLED_DEFAULT
                require(swivel_installed(SIGUSR2) == after, "what was found last is restored")
            }
        }
    }

    @Test(arguments: [false, true]) func afterTheLastWatchTheFormerHandlerIsBack(
        takesInfo: Bool
    ) async {
        await #expect(processExitsWith: .success) { [takesInfo] in
            try exitTest {
                swivel_other_install(SIGUSR1, takesInfo, false)
                let (loop, heard) = (try Loop(), Counter())
                let watches = (0..<2).map { _ in loop.signals([.user1]) { _ in heard.add() } }
                loop.onThread {}
                watches[0].cancel()
                loop.onThread {}
                require(swivel_installed(SIGUSR1) == SWIVEL_INSTALLED_UNKNOWN, "one goes on")
                watches[1].cancel()
                loop.onThread {}
                require(swivel_installed(SIGUSR1) == SWIVEL_INSTALLED_OTHER, "none is left")
                raiseHere(SIGUSR1)
                require(swivel_other_calls() == 1 && heard.value == 0, "it is called alone")
            }
        }
    }

    /// A handler runs between any two instructions of its thread.
    @Test(arguments: [false, true]) func theThreadsErrnoStays(besideOtherCode: Bool) async {
        await #expect(processExitsWith: .success) { [besideOtherCode] in
            try exitTest {
                if besideOtherCode { swivel_other_install(SIGUSR1, true, false) }
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                let after = swivel_errno_after_signal(SIGUSR1, ENOTTY)
                require(after == ENOTTY, "errno is \(after)")
                require(isHeard(heard, 1, on: loop), "heard \(heard.value) times")
            }
        }
    }

    /// The thread that runs the handler is held up in another one while the last watch and the loop
    /// end, and a new watch begins.
    @Test func aHandlerOutlastsTheWatch() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                swivel_other_install_slow(SIGUSR1)
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                let thread = TestThread { raiseHere(SIGUSR1) }
                require(eventually { swivel_other_calls() == 1 }, "the handler does not run")
                require(isHeard(heard, 1, on: loop), "before the other handlers have returned")
                loop.shutdown()
                require(swivel_installed(SIGUSR1) == SWIVEL_INSTALLED_OTHER, "it is back")
                let next = try Loop()
                next.signals([.user1]) { _ in heard.add() }
                swivel_other_release()
                thread.join()
                raiseHere(SIGUSR1)
                require(isHeard(heard, 2, on: next), "heard \(heard.value) times")
                require(swivel_other_calls() == 2, "called \(swivel_other_calls()) times")
            }
        }
    }

    /// If all other threads of the process block the signal, as in a program whose parent did, it is
    /// for the loop's own thread.
    @Test func aLoopsThreadDoesNotBlockWhatItWatches() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                for count in 1...3 {
                    _ = loop.onThread { raise(SIGUSR1) }
                    require(isHeard(heard, count, on: loop), "heard \(heard.value) times")
                }
            }
        }
    }
}
