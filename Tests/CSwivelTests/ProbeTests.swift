// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
import Synchronization
import Testing

/// Whether a thread is blocked, as the kernel reports it.
@Suite struct ProbeTests {
    /// A thread that lends its probe, and runs a body of the test's.
    private final class Subject: @unchecked Sendable {
        // because the semaphores order what changes.
        private(set) var probe = swivel_probe()
        private(set) var number: Int32 = 0
        private let isReady = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable (Subject) -> Void) {
            Thread { [self] in
                probe = swivel__probe_of_thread()
                number = swivel_process_thread()
                isReady.signal()
                body(self)
                hasEnded.signal()
            }.start()
            isReady.wait()
        }

        /// Waits until it sleeps.
        func awaitSleep() {
            awaitUntil {
                let before = swivel_process_sleeps(number)
                usleep(2_000)
                return before > 0 && before == swivel_process_sleeps(number)
            }
        }
    }

    /// A flag that is read without a system call.
    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isRaised: Bool { value.load(ordering: .relaxed) }
        func raise() { value.store(true, ordering: .relaxed) }
    }

    @Test func aThreadThatSleepsIsBlocked() async throws {
        try await offPool {
            let subject = Subject { $0.goOn.wait() }
            subject.awaitSleep()
            var probe = subject.probe
            _ = swivel__probe_is_blocked(&probe)
            #expect(swivel__probe_is_blocked(&probe))
            var quiet = subject.probe
            let readings = (0..<8).map { _ in swivel__probe_is_quiet(&quiet) }
            #expect(readings.filter { $0 }.count >= 3, "without states it takes five readings")
            #expect(!readings[0] && !readings[3])
            subject.goOn.signal()
            subject.hasEnded.wait()
        }
    }

    /// Preempted or not: it can run.
    @Test(.enabled(if: !swivel_is_under_tsan(), "its runtime puts threads to sleep"))
    func aThreadThatComputesIsNotBlocked() async throws {
        try await offPool {
            let flags = (0..<6).map { _ in Flag() }
            let subjects = flags.map { flag in Subject { _ in while !flag.isRaised {} } }
            var probes = subjects.map(\.probe)
            for _ in 0..<100 {
                for index in probes.indices {
                    #expect(!swivel__probe_is_blocked(&probes[index]))
                }
                usleep(1_000)
            }
            flags.forEach { $0.raise() }
            subjects.forEach { $0.hasEnded.wait() }
        }
    }

    /// It may be asleep at the moment.
    @Test func aThreadThatHasComputedIsNotBlocked() async throws {
        try await offPool {
            let subject = Subject { subject in
                subject.goOn.wait()
                let began = clock_gettime_nsec()
                while clock_gettime_nsec() - began < 8_000_000 {}
                subject.goOn.wait()
            }
            subject.awaitSleep()
            var probe = subject.probe
            _ = swivel__probe_is_blocked(&probe)
            #expect(swivel__probe_is_blocked(&probe))
            let sleeps = swivel_process_sleeps(subject.number)
            subject.goOn.signal()
            awaitUntil { swivel_process_sleeps(subject.number) > sleeps }
            #expect(!swivel__probe_is_blocked(&probe), "it has used 8 ms since the last reading")
            #expect(swivel__probe_is_blocked(&probe))
            subject.goOn.signal()
            subject.hasEnded.wait()
        }
    }

    @Test func aThreadThatHasEndedIsNotBlocked() async throws {
        try await offPool {
            let subject = Subject { _ in }
            subject.hasEnded.wait()
            var probe = subject.probe
            awaitUntil { !swivel__probe_is_blocked(&probe) }
        }
    }
}

/// CPU time of the calling thread in nanoseconds.
private func clock_gettime_nsec() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}
