// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The threads of the process that were about to do something, as the kernel reports them.
///
/// A thread that has taken a job is ready to run until it is done with it, however long others keep
/// the processor from it.
enum OtherThreads {
    /// Processor time within which a thread that has taken a job reports the next one, in
    /// nanoseconds.
    private static let moment: UInt64 = 1_000_000

    /// Waits until each thread that is ready to run now has slept, or has had a moment of the
    /// processor, and none is queuing a job. False: the system does not report that, or `limit` of
    /// real time is over.
    static func letRun(atMost limit: Duration) -> Bool {
        guard var running = ready() else { return false }
        let ends = ContinuousClock.now + limit
        while !running.isEmpty || JobHook.isQueuing {
            guard ContinuousClock.now < ends else { return false }
            usleep(50)
            running = running.filter { thread, start in
                isReady(thread) && (processorTime(of: thread) ?? .max) < start + moment
            }
        }
        return true
    }

    /// The ready threads but this one, each with its processor time.
    private static func ready() -> [UInt64: UInt64]? {
        guard let folder = opendir("/proc/self/task") else { return nil }
        defer { closedir(folder) }
        let own = number(in: "/proc/thread-self/stat")
        var threads: [UInt64: UInt64] = [:]
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let thread = UInt64(name), thread != own, isReady(thread) else { continue }
            guard let time = processorTime(of: thread) else { return nil }
            threads[thread] = time
        }
        return threads
    }

    private static func isReady(_ thread: UInt64) -> Bool {
        // "NUMBER (NAME) STATE ...", where the name may hold anything: proc_pid_stat(5).
        let text = read("/proc/self/task/\(thread)/stat")
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return text.dropFirst(end + 2).first == UInt8(ascii: "R")
    }

    private static func processorTime(of thread: UInt64) -> UInt64? {
        number(in: "/proc/self/task/\(thread)/schedstat")
    }

    /// The number with which a file begins.
    private static func number(in file: String) -> UInt64? {
        UInt64(String(decoding: read(file).prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
    }

    /// The beginning of a file; empty if it is not there.
    private static func read(_ file: String) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }
}
#else
/// No other system reports which of its threads a process has ready.
enum OtherThreads {
    static func letRun(atMost limit: Duration) -> Bool { false }
}
#endif
