// SPDX-License-Identifier: Apache-2.0
import SwivelRuntime

@main struct Server {
    static func main() async throws {
        try SwivelRuntime.install(.timers)
        try await serve()
    }
}
// snippet.hide
func serve() async throws {
    let refresh = Task(name: "refresh") { try await Task.sleep(for: .seconds(60)) }
    while SwivelRuntime.metrics.sleepsPending == 0 { await Task.yield() }
    refresh.cancel()
    _ = await refresh.result
    precondition(SwivelRuntime.metrics.cancelledEarly == 1)
}
