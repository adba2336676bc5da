// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import CSwivelTestSupport
import Foundation
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

    /// A flag that threads wait for without a call.
    private final class Flag: @unchecked Sendable {  // because C reads and raises it atomically
        private let word = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        init() { word.initialize(to: false) }
        deinit { word.deallocate() }
        func computeUntilRaised() { swivel_compute_until(word) }
        func raise() { swivel_flag_raise(word) }
    }

    @Test func aThreadThatSleepsIsBlocked() async throws {
        try await offPool {
            let subject = Subject { $0.goOn.wait() }
            subject.awaitSleep()
            var probe = subject.probe
            _ = swivel__probe_is_blocked(&probe)
            #expect(swivel__probe_is_blocked(&probe))
            subject.goOn.signal()
            subject.hasEnded.wait()
        }
    }

    /// Without descriptors the state cannot be read: a pool that computes must not grow.
    @Test func aThreadOfUnknownStateIsNotBlocked() async {
        await #expect(processExitsWith: .success) {
            let subject = Subject { $0.goOn.wait() }
            subject.awaitSleep()
            var (limit, probe) = (rlimit(), subject.probe)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            getrlimit(resource, &limit)
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(resource, &none)
            let isBlocked = (0..<3).contains { _ in swivel__probe_is_blocked(&probe) }
            setrlimit(resource, &limit)
            exit(isBlocked || !(0..<2).allSatisfy { _ in swivel__probe_is_blocked(&probe) } ? 1 : 0)
        }
    }

    /// Preempted or not: it can run.
    @Test func aThreadThatComputesIsNotBlocked() async throws {
        try await offPool {
            let flag = Flag()
            let subjects = (0..<6).map { _ in Subject { _ in flag.computeUntilRaised() } }
            var probes = subjects.map(\.probe)
            for _ in 0..<100 {
                for index in probes.indices {
                    #expect(!swivel__probe_is_blocked(&probes[index]))
                }
                usleep(1_000)
            }
            flag.raise()
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
