// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Foundation
internal import Testing

#if os(Linux)
@Suite(.serialized)
struct CoresTests {
    /// The cores that the calling thread may use, as the kernel lists them.
    private static func allowed() -> String {
        let status = try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
        return line.map { String($0.dropFirst("Cpus_allowed_list:".count).drop { $0 == "\t" }) }
            ?? ""
    }

    /// Runs `body` on a thread of its own, whose cores are nobody else's affair.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { waiter in
            Thread { waiter.resume(returning: body()) }.start()
        }
    }

    @Test func aThreadStaysOnTheCoreWithTheMostRoom() async {
        let (all, first, second, after) = await onThread {
            Cores.leave()  // A thread has the cores of the one that has made it.
            let all = Self.allowed()
            Cores.choose(byShares: [1, 0.5])
            Cores.stay()
            let first = Self.allowed()
            Cores.leave()
            Cores.choose(byShares: [0.5, 1])
            Cores.stay()
            let second = Self.allowed()
            Cores.leave()
            return (all, first, second, Self.allowed())
        }
        #expect(Int(first) != nil)
        #expect(Int(second) != nil)
        #expect((first == second) == (ProcessInfo.processInfo.activeProcessorCount == 1))
        #expect(after == all)
    }

    @Test func withoutSharesTheFirstCoreIsChosen() async {
        let chosen = await onThread {
            Cores.choose(byShares: [])
            Cores.stay()
            defer { Cores.leave() }
            return Self.allowed()
        }
        #expect(Int(chosen) != nil)
    }
}
#endif
