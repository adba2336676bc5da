// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Swivel

// snippet.show
@main
struct Server {
    static func main() async throws {
        let loop = try Loop(.init(name: "server"))
        loop.schedule(every: .seconds(1), label: "heartbeat") { _ in
            print("beat")
        }

        // SIGTERM has no other effect from here on.
        for await signal in loop.signals([.terminate, .interrupt]) {
            print("\(signal): closing")
            break
        }

        // Repeats stop. Accepted work runs, for five seconds at most.
        let report = await loop.shutdown(.drain(within: .seconds(5)))
        print("\(report.ran) ran, \(report.cancelled) were released")
    }
}
