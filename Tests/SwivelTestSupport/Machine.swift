// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore

/// The machine and the sanitizers that the process runs under.
package enum Machine {
    /// Whether a function of that name is in the process; sanitizers are recognized by theirs.
    private static func has(_ symbol: String) -> Bool {
        dlsym(UnsafeMutableRawPointer(bitPattern: 0), symbol) != nil
    }

    package static let isThreadSanitized = has("__tsan_init")
    package static let isAddressSanitized = has("__asan_init")
    package static let isSanitized = isThreadSanitized || isAddressSanitized

    /// Processors that are online: the width of a pool.
    package static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    #if DEBUG
    package static let isDebug = true
    #else
    package static let isDebug = false
    #endif

    /// `count` where the code is fast, and less where it is checked or watched.
    package static func scaled(_ count: Int, by divisor: Int = 10) -> Int {
        isDebug || isSanitized ? max(1, count / divisor) : count
    }

    #if os(Linux)
    /// Names of what the process has open.
    package static func descriptors() -> [String] {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap { number in
            // The folder's own descriptor is gone by now.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
        }
    }

    /// Whether loops keep their time in a timerfd; else the portable park was built. (Dispatch has
    /// one, too.)
    package static func hasTimerDescriptors() throws -> Bool {
        let before = descriptors().count { $0.contains("timerfd") }
        let loop = try Loop.embedded()
        defer { loop.shutdown() }
        return descriptors().count { $0.contains("timerfd") } > before
    }

    /// A number from a line such as `RssAnon:   1234 kB` of a file under /proc.
    package static func status(_ key: String, of path: String = "/proc/self/status") -> Int? {
        line(key, of: path).flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// The text of a line such as `Name:   swivel.loop` of a file under /proc.
    package static func line(_ key: String, of path: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line.map { $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// The kernel's numbers of the process's threads.
    package static func threadNumbers() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    }

    /// Private memory in bytes.
    package static func privateBytes() -> Int { (status("RssAnon") ?? 0) * 1024 }

    /// Private memory in bytes, when the allocator has given back what is free.
    package static func trimmedPrivateBytes() -> Int {
        typealias Trim = @convention(c) (Int) -> Int32
        if let trim = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim") {
            _ = unsafeBitCast(trim, to: Trim.self)(0)
        }
        return privateBytes()
    }

    package static func threads() -> Int { status("Threads") ?? 0 }
    #endif
}
