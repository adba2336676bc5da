// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

private func limit(_ resource: Int32, to value: rlim_t) {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(resource), &limits)
    limits.rlim_cur = min(value, limits.rlim_max)
    setrlimit(__rlimit_resource_t(resource), &limits)
}

/// The error of creating a loop in this way; `nil`: it works.
private func failure(_ make: () throws -> Loop) -> SwivelError? {
    do {
        _ = try make().shutdown()
        return nil
    } catch {
        return error as? SwivelError
    }
}

private func failureOfGroup(of count: Int = 10) -> SwivelError? {
    do {
        _ = try LoopGroup(count: count).shutdown()
        return nil
    } catch {
        return error
    }
}

/// The descriptors of loops that are open beyond `before`. Others do not count: libuv's signal pipe
/// stays, and Dispatch makes a timerfd for each of its three clocks when that is first asked for,
/// by the test runner too.
private func leaks(since before: [String]) -> [String] {
    var left = Machine.descriptors()
    for name in before {
        left.firstIndex(of: name).map { _ = left.remove(at: $0) }
    }
    for (kind, count) in [("pipe:", 2), ("anon_inode:[timerfd]", 3)] {
        for _ in 0..<count {
            left.firstIndex { $0.hasPrefix(kind) }.map { _ = left.remove(at: $0) }
        }
    }
    return left
}

/// Loops that cannot be made: S4. In exit tests, because the limits are the process's.
@Suite(.offPool) struct CreationFailureTests {
    /// S4: with any number of free descriptors, from none up, creation works or throws; it never
    /// aborts, leaks nothing, and works again afterwards.
    @Test func withoutDescriptorsItThrows() async {
        await #expect(processExitsWith: .success) {
            exitTest(endAfter: 60) {
                let make: [() throws -> Loop] = [
                    { try Loop() }, { try Loop.embedded() }, { try Loop.manual() },
                ]
                let before = Machine.descriptors()
                var worked = 0
                for free in 0..<24 {
                    for make in make {
                        // Descriptors are given out from the lowest: fill the gaps.
                        var fill: [Int32] = []
                        let highest = (0..<1024).last { fcntl(Int32($0), F_GETFD) >= 0 } ?? 0
                        limit(Int32(RLIMIT_NOFILE.rawValue), to: rlim_t(highest + 1))
                        while case let descriptor = dup(0), descriptor >= 0 {
                            fill.append(descriptor)
                        }
                        limit(Int32(RLIMIT_NOFILE.rawValue), to: rlim_t(highest + 1 + free))
                        let error = failure(make)
                        let groupError = error == nil ? nil : failureOfGroup()
                        limit(Int32(RLIMIT_NOFILE.rawValue), to: 4096)
                        fill.forEach { close($0) }
                        if let error {
                            require(error.code == .tooManyFiles, "\(free) free: \(error)")
                            require(error.errno == EMFILE && !error.message.isEmpty, "\(error)")
                            require(groupError?.code == .tooManyFiles, "a group")
                        } else {
                            worked += 1
                        }
                        require(failure(make) == nil, "\(free) free: a later try fails")
                    }
                }
                require(worked > 0 && worked < 72, "\(worked) worked")
                let left = leaks(since: before)
                require(left.isEmpty, "left: \(left)")
            }
        }
    }

    /// S4: a group that cannot be made whole throws, and the loops it had started are gone.
    @Test func aGroupThatIsCutShortThrows() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                _ = try? Loop().shutdown()
                let threads = Machine.threads()
                let before = Machine.descriptors()
                limit(Int32(RLIMIT_NOFILE.rawValue), to: 64)
                let error = failureOfGroup(of: 100)
                require(error?.code == .tooManyFiles, "\(String(describing: error))")
                // A joined thread is counted for a moment longer; the runner may start some.
                while Machine.threads() > threads + 3 { sched_yield() }
                let left = leaks(since: before)
                require(left.isEmpty, "left: \(left)")
                limit(Int32(RLIMIT_NOFILE.rawValue), to: 4096)
                require(failureOfGroup() == nil, "a later try fails")
            }
        }
    }

    /// S4: a shutdown needs no descriptors.
    @Test func aShutdownNeedsNoDescriptors() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let loop = try Loop()
                loop.schedule(after: .hours(1)) {}
                limit(Int32(RLIMIT_NOFILE.rawValue), to: 0)
                require(loop.shutdown().cancelledTimers == 1, "cancelled")
                limit(Int32(RLIMIT_NOFILE.rawValue), to: 4096)  // for what a sanitizer opens
            }
        }
    }

    /// S4: without a thread. The limit does not bind root, so root becomes another user first.
    @Test(.enabled(if: !Machine.isSanitized))
    func withoutThreadsItThrows() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                if geteuid() == 0 {
                    require(setgid(65_534) == 0 && setuid(65_534) == 0, "still root")
                }
                let before = Machine.descriptors()
                limit(Int32(__RLIMIT_NPROC.rawValue), to: 1)
                for _ in 0..<20 {
                    guard let error = failure({ try Loop() }) else {
                        require(false, "the system gives threads beyond its limit")
                        return
                    }
                    require(error.code == .threadCreation, "\(error)")
                    require(error.errno == EAGAIN, "\(error)")
                }
                let left = leaks(since: before)
                require(left.isEmpty, "left: \(left)")
                require(failure { try Loop.embedded() } == nil, "an embedded loop needs no thread")
                var limits = rlimit()
                getrlimit(Int32(__RLIMIT_NPROC.rawValue), &limits)
                limit(Int32(__RLIMIT_NPROC.rawValue), to: limits.rlim_max)
                require(failure { try Loop() } == nil, "a later try fails")
            }
        }
    }

    /// S4: without address space.
    @Test(.enabled(if: !Machine.isSanitized))
    func withoutMemoryItThrows() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                require(failure { try Loop.embedded() } == nil, "it works at first")
                // Records are reused: the first is taken, so that the next needs memory.
                guard let holder = try? Loop.embedded() else { return }
                let size = (Machine.status("VmSize") ?? 0) * 1024
                var sawFailure = false
                for extra in [0, 64, 512, 1_024, 4_096] {
                    limit(Int32(RLIMIT_AS.rawValue), to: rlim_t(size + extra * 1024))
                    let error = failure { try Loop.embedded() }
                    limit(Int32(RLIMIT_AS.rawValue), to: .max)
                    if let error {
                        sawFailure = true
                        require(error.code == .outOfMemory, "\(error)")
                    }
                }
                require(sawFailure, "there was memory")
                require(failure { try Loop() } == nil, "a later try fails")
                holder.shutdown()
            }
        }
    }
}
#endif
