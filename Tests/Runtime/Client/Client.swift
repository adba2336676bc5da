// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1

/// Loads a server from 32 tasks, and prints what a request costs this process. Nothing here names
/// Swivel. Usage: client URL SECONDS
@main
enum Client {
    private static let kept = 1_000

    static func main() async throws {
        let url = CommandLine.arguments[1]
        let time = Duration.seconds(Double(CommandLine.arguments[2]) ?? 4)
        _ = try await load(url, for: time)  // Threads, connections and the heap's pages.
        let (cpu, size) = (processorTime(), residentBytes())
        let (requests, latencies) = try await load(url, for: time)
        print("CPU per request, µs|\((processorTime() - cpu) / Double(requests) * 1e6)|")
        print("growth per request, B|\((residentBytes() - size) / requests)|most 64")
        print("p50, ms|\(latencies[latencies.count / 2])")
        print("p99, ms|\(latencies[latencies.count * 99 / 100])")
    }

    /// The number of requests, and the last latencies in milliseconds, sorted. They have a fixed
    /// place, because the growth of the process is measured.
    private static func load(
        _ url: String, for time: Duration
    ) async throws -> (requests: Int, latencies: [Double]) {
        let end = ContinuousClock.now + time
        return try await withThrowingTaskGroup { group in
            for _ in 0..<32 { group.addTask { try await send(url, until: end) } }
            var (requests, latencies) = (0, [Double]())
            for try await (count, last) in group {
                requests += count
                latencies += last.prefix(count)
            }
            return (requests, latencies.sorted())
        }
    }

    private static func send(
        _ url: String, until end: ContinuousClock.Instant
    ) async throws -> (Int, [Double]) {
        var (count, latencies) = (0, [Double](repeating: 0, count: kept))
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: url), timeout: .seconds(60))
            let body = try await response.body.collect(upTo: 1 << 10)
            precondition(response.status == .ok && body.readableBytes > 0, "\(response)")
            latencies[count % kept] = start.duration(to: .now) / .milliseconds(1)
            count += 1
        }
        return (count, latencies)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func residentBytes() -> Int {
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return Int(pages?.split(separator: " ")[1] ?? "0").map { $0 * Int(getpagesize()) } ?? 0
    }
}
