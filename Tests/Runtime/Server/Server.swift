// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hummingbird
internal import Logging

/// A server as one writes it with hummingbird and structured concurrency. The proof drives it with
/// and without Swivel under it; nothing here names Swivel.
@main
enum Server {
    static func main() async throws {
        let router = Router()
        router.get("fast") { _, _ in
            try await limited(to: .seconds(60)) { "done\n" }
        }
        router.get("work") { _, _ in
            try await limited(to: .seconds(60)) {
                try await Task.sleep(for: .milliseconds(5))
                return "done\n"
            }
        }
        router.get("late") { _, _ in
            try await limited(to: .milliseconds(20)) {
                try await Task.sleep(for: .seconds(60))
                return "done\n"
            }
        }
        var logger = Logger(label: "server")
        logger.logLevel = .error
        let app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("port \(channel.localAddress?.port ?? 0)")
                fflush(nil)
            },
            logger: logger)
        try await app.runService()
    }

    /// Runs `work` until the time limit has passed.
    private static func limited(
        to limit: Duration, _ work: @escaping @Sendable () async throws -> String
    ) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask(operation: work)
            group.addTask {
                try await Task.sleep(for: limit)
                return "over the limit\n"
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }
}
