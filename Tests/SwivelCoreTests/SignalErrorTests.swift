// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Signals that cannot be watched, and unusual ones that can. In processes of their own: a signal is
/// for the whole process.
@Suite struct SignalErrorTests {
    #if os(Linux)
    private static let refused: [Int32] = [SIGKILL, SIGSTOP, 32, 33, 65, 128, 0, -1, .max, .min]
    #else
    private static let refused: [Int32] = [SIGKILL, SIGSTOP, 32, 0, -1, .max, .min]
    #endif

    @Test func aSignalThatNoProcessHandlesGivesTheSystemsReason() async {
        await #expect(processExitsWith: .success) {
            try await suspendingExitTest {
                let loop = try Loop()
                for number in Self.refused {
                    let watch = loop.signals([Signal(rawValue: number)]) { _ in }
                    require(!watch.isActive, "\(number) is watched")
                    let error = watch.error
                    require(error?.errno == EINVAL, "\(number): \(String(describing: error))")
                    let text = String(cString: strerror(EINVAL))
                    require(error?.message.contains(text) == true, "\(String(describing: error))")
                    require(watch.cancel() == .finished, "\(number)")
                    for await _ in loop.signals([Signal(rawValue: number)]) {}
                }
                await loop.shutdown()
            }
        }
    }

    @Test func aSignalOfAThreadsOwnFaultIsRefused() async throws {
        let loop = try Loop()
        for number in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            let watch = loop.signals([Signal(rawValue: number)]) { _ in }
            #expect(!watch.isActive)
            #expect(watch.error?.code == .invalidConfiguration)
            #expect(watch.error?.message.contains("the thread that caused it") == true)
        }
        await loop.shutdown()
    }

    #if os(Linux)
    @Test func realTimeSignalsAreHeard() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, heard) = (try Loop(), Shared<[Int32]>())
                let all = Array(Int32(34)...64)
                let watch = loop.signals(all.map(Signal.init)) { heard.append($0.rawValue) }
                require(watch.error == nil, "\(String(describing: watch.error))")
                for number in all {
                    kill(getpid(), number)
                    require(eventually { heard.value.last == number }, "\(number) is lost")
                }
                require(heard.value == all, "\(heard.value)")
            }
        }
    }

    /// No descriptor is needed: a loop has its own.
    @Test func signalsNeedNoDescriptors() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, gate) = (try Loop(), Gate())
                var limits = rlimit(rlim_cur: 0, rlim_max: 0)
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                limits.rlim_cur = 0
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                let watch = loop.signals([.user1]) { _ in gate.open() }
                require(watch.error == nil, "\(String(describing: watch.error))")
                raiseHere(SIGUSR1)
                gate.wait()
                // The end of a process with AddressSanitizer opens files.
                limits.rlim_cur = limits.rlim_max
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            }
        }
    }

    /// The first use of the loop that keeps the time of queues.
    @Test func withoutDescriptorsTheSharedLoopNamesTheCause() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            exitTest {
                var limits = rlimit(rlim_cur: 0, rlim_max: 0)
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                limits.rlim_cur = 0
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
                WorkerPool.shared.schedule(after: .milliseconds(1)) {}
            }
        }
        #expect(printed("the loop 'swivel.shared' cannot be made", result))
        #expect(printed("too many open files", result))
    }
    #endif
}
