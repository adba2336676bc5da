// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

/// Swivel's threads as the system sees them: S6.
@Suite(.offPool) struct ThreadTests {
    /// Signals that say that the thread itself has done something impossible.
    private static let ofTheThread = [
        SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS,
    ]
    /// Signals that are sent to the process, for the threads that the program made itself.
    private static let ofTheProcess = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD, SIGALRM, SIGPROF, SIGPIPE,
    ]

    private static func checkMask(_ sourceLocation: SourceLocation = #_sourceLocation) {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        for signal in ofTheThread {
            #expect(
                sigismember(&mask, signal) == 0, "\(signal) is blocked",
                sourceLocation: sourceLocation)
        }
        for signal in ofTheProcess {
            #expect(
                sigismember(&mask, signal) == 1, "\(signal) is open",
                sourceLocation: sourceLocation)
        }
    }

    /// S6: a crash reaches the handlers of crashes; a signal to the process reaches other threads.
    @Test func loopAndPoolThreadsBlockTheProcesssSignalsAlone() throws {
        let loop = try Loop()
        loop.onThread { Self.checkMask() }
        let pool = WorkerPool(name: "test.pool", threads: 1)
        let done = Gate()
        pool.execute {
            Self.checkMask()
            done.open()
        }
        done.wait()
        loop.shutdown()
    }

    /// S6: where a crash goes that the runtime would print.
    @Test(arguments: [false, true])
    func aCrashReachesItsHandler(inAPool: Bool) async {
        await #expect(processExitsWith: .exitCode(77)) { [inAPool = inAPool as Bool] in
            try exitTest {
                signal(SIGSEGV) { _ in _exit(77) }
                let crash: @Sendable () -> Void = {
                    UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
                }
                if inAPool {
                    WorkerPool.shared.execute(crash)
                } else {
                    try Loop().execute(crash)
                }
                while true { pause() }
            }
        }
    }

    enum Place: Codable, CaseIterable, Sendable { case loop, pool, run, runOnce, pump }

    /// S6: a thread that ends in a closure is found and reported by its site: its loop has
    /// no turns any more, and a thread that waits for it would wait forever.
    @Test(arguments: Place.allCases)
    func aThreadThatEndsInAClosureStopsTheProgram(_ place: Place) async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: standardError
        ) { [place = place as Place] in
            try exitTest(endAfter: 20) {
                let quit: @Sendable () -> Void = { pthread_exit(nil) }
                switch place {
                case .loop:
                    let loop = try Loop(.init(name: "test.quits"))
                    loop.execute(quit)
                    loop.shutdown(.drain(within: .seconds(10)))
                case .pool:
                    let pool = WorkerPool(name: "test.quits", threads: 1)
                    pool.execute(quit)
                    pool.each(0..<1) { _ in }
                case .run, .runOnce:
                    let loop = try Loop.embedded(.init(name: "test.quits"))
                    loop.execute(quit)
                    let thread = TestThread {
                        if place == .run { loop.run() } else { loop.runOnce(.noWait) }
                    }
                    thread.join()
                    loop.shutdown()
                case .pump:
                    let loop = try Loop(.init(name: "test.quits"))
                    loop.execute {
                        loop.execute(quit)
                        WorkerPool.shared.each(0..<1) { _ in while true { pause() } }
                    }
                    loop.shutdown(.drain(within: .seconds(10)))
                }
            }
        }
        #expect(printed("'test.quits'", result))
        #expect(printed("pthread_exit", result))
    }
}
#endif
