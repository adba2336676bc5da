// SPDX-License-Identifier: Apache-2.0
import Swivel

struct Busy: Error {}

actor Server {
    private var calls = 0

    func connect() throws -> String {
        calls += 1
        if calls < 3 { throw Busy() }
        return "connected by call \(calls)"
    }
}

// Waits 10 ms, then 20, 40 and 80; half of each is random.
let server = Server()
let backoff = Backoff.exponential(base: .milliseconds(10))
let answer = try await retry(attempts: 5, backoff: backoff) {
    try await server.connect()
}
print(answer)
