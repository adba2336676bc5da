// SPDX-License-Identifier: Apache-2.0
import Swivel

@main
struct Search {
    static func main() async throws {
        let loop = try Loop()

        // 300 ms after the last key, and 2 s after the first at most.
        let search = Debouncer<String>(
            on: loop, after: .milliseconds(300), maxWait: .seconds(2)
        ) { text in
            print("search for \(text)")
        }
        for text in ["s", "sw", "swivel"] { search.call(text) }

        await search.flushAndWait()
        await loop.shutdown()
    }
}
