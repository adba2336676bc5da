// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Dispatch
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// A source of Dispatch's that has taken its signal up.
private func makeSource(_ number: Int32, _ heard: Counter) -> any DispatchSourceSignal {
    let (source, ready) = (
        DispatchSource.makeSignalSource(signal: number, queue: .global()), Gate()
    )
    source.setEventHandler { heard.add() }
    source.setRegistrationHandler { ready.open() }
    source.activate()
    ready.wait()
    return source
}

/// Ends a source, and waits for that.
private func end(_ source: any DispatchSourceSignal) {
    let gone = Gate()
    source.setCancelHandler { gone.open() }
    source.cancel()
    gone.wait()
}

/// Has third code replace the handler of a loop that watches the signal, and waits until it is back.
private func installOther(_ number: Int32, beside loop: Loop) {
    loop.onThread {}
    let own = swivel_installed_word(number)
    swivel_other_install(number, true, false)
    let isBack = eventually {
        loop.onThread {}
        return swivel_installed_word(number) == own
    }
    require(isBack, "it stays replaced")
}

/// Each signal of another process reaches all counters, once.
private func each(_ heard: Counter, _ others: [Counter], hear number: Int32, times: Int) {
    let sender = swivel_sender_begin(number)
    let before = heard.value
    for count in 1...times {
        let othersBefore = others.map(\.value)
        swivel_sender_send()
        require(eventually { heard.value >= before + count }, "signal \(count) is lost")
        require(heard.value == before + count, "signal \(count): \(heard.value - before)")
        for (other, before) in zip(others, othersBefore) {
            require(eventually { other.value > before }, "Dispatch has lost signal \(count)")
        }
    }
    swivel_sender_end(sender)
}

/// W4: signals that sources of Dispatch's receive as well. On Linux they take a signal before any
/// handler runs. In processes of their own: a signal is for the whole process.
@Suite struct SignalsBesideDispatchTests {
    /// As after any ServiceGroup: its handler stays installed.
    @Test func aSignalIsHeardAfterASourceIsGone() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                end(makeSource(SIGTERM, Counter()))
                let (loop, heard) = (try Loop(), Counter())
                let watch = loop.signals([.terminate]) { _ in heard.add() }
                require(watch.error == nil, "\(String(describing: watch.error))")
                each(heard, [], hear: SIGTERM, times: 50)
            }
        }
    }

    /// The source that receives the signal needs a descriptor.
    @Test func withoutDescriptorsASignalThatASourceHadIsRefused() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                end(makeSource(SIGTERM, Counter()))
                let loop = try Loop()
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                var limit = rlimit()
                getrlimit(resource, &limit)
                var few = rlimit(rlim_cur: 256, rlim_max: limit.rlim_max)
                setrlimit(resource, &few)
                while dup(STDERR_FILENO) >= 0 {}
                let watch = loop.signals([.terminate]) { _ in }
                require(watch.error != nil, "it is deaf and says nothing")
                setrlimit(resource, &limit)  // The leak check at the exit opens files.
            }
        }
    }

    @Test func aSignalIsHeardBesideASourceThatWasThere() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let theirs = Counter()
                let source = makeSource(SIGUSR1, theirs)
                let (loop, heard) = (try Loop(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                each(heard, [theirs], hear: SIGUSR1, times: 200)
                end(source)
                each(heard, [], hear: SIGUSR1, times: 50)
            }
        }
    }

    @Test func aSignalIsHeardBesideASourceThatComesLater() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard, theirs) = (try Loop(), Counter(), Counter())
                loop.signals([.user1]) { _ in heard.add() }
                loop.onThread {}
                let source = makeSource(SIGUSR1, theirs)
                // Until the check has found the other handler, signals may be Dispatch's alone.
                let isHeard = eventually {
                    loop.onThread {}
                    raiseHere(SIGUSR1)
                    return heard.value > 0
                }
                require(isHeard, "Swivel is deaf")
                var before = -1
                let isQuiet = eventually {
                    defer { before = heard.value }
                    usleep(20_000)
                    return heard.value == before
                }
                require(isQuiet, "it does not end")
                each(heard, [theirs], hear: SIGUSR1, times: 200)
                end(source)
                each(heard, [], hear: SIGUSR1, times: 50)
            }
        }
    }

    /// A handler of third code, for a signal that Dispatch's sources take. Without Swivel it would be
    /// called alone, once the source is gone.
    @Test(arguments: [false, true]) func aHandlerIsCalledBesideASource(isGone: Bool) async {
        await #expect(processExitsWith: .success) { [isGone] in
            try exitTest {
                let (heard, theirs, loop) = (Counter(), Counter(), try Loop())
                let source = makeSource(SIGUSR1, theirs)
                if isGone { end(source) }
                loop.signals([.user1]) { _ in heard.add() }
                installOther(SIGUSR1, beside: loop)
                let sender = swivel_sender_begin(SIGUSR1)
                for count in 1...50 {
                    swivel_sender_send()
                    require(eventually { heard.value >= count }, "signal \(count) is lost")
                    let called = eventually { Int(swivel_other_calls()) >= count }
                    require(called, "the handler has lost signal \(count)")
                }
                swivel_sender_end(sender)
                require(heard.value == 50 && swivel_other_had_info(), "heard \(heard.value)")
            }
        }
    }

    /// A handler of third code sends the next signal, which no thread may lose; nor may it be merged
    /// with one that libdispatch sends again.
    @Test func aSignalFromAHandlerIsHeardBesideASource() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (heard, loop) = (Counter(), try Loop())
                let source = makeSource(SIGUSR1, Counter())
                loop.signals([.user1]) { _ in heard.add() }
                installOther(SIGUSR1, beside: loop)
                let sender = swivel_sender_begin(SIGUSR1)
                for step in 1...200 {
                    swivel_other_echo(SIGUSR1)
                    swivel_sender_send()
                    require(eventually { swivel_other_has_echoed() }, "signal \(step) is lost")
                    let isCounted = eventually { swivel_other_echo_is_counted() }
                    require(isCounted, "the echo of signal \(step) is lost")
                }
                swivel_sender_end(sender)
                require(heard.value > 0, "the loop is deaf")
                end(source)
            }
        }
    }

    /// Dispatch's source goes on after Swivel's watch.
    @Test func aSourceOutlastsTheWatch() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (theirs, heard, loop) = (Counter(), Counter(), try Loop())
                let source = makeSource(SIGUSR1, theirs)
                for _ in 0..<20 {
                    let watch = loop.signals([.user1]) { _ in heard.add() }
                    watch.cancel()
                    loop.onThread {}
                }
                each(theirs, [], hear: SIGUSR1, times: 50)
                require(heard.value == 0, "heard after its end")
                end(source)
            }
        }
    }
}
