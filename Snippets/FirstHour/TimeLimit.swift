// SPDX-License-Identifier: Apache-2.0
import Swivel

func fetch() async throws -> String {
    try await Task.sleep(for: .seconds(60))
    return "a page"
}

// The task of `fetch` is cancelled when the time is up.
do {
    print(try await withTimeout(.milliseconds(50)) { try await fetch() })
} catch {
    print(error)
}
