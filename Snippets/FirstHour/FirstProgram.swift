// SPDX-License-Identifier: Apache-2.0
import Swivel

@main
struct Hello {
    static func main() async throws {
        let loop = try Loop()
        loop.schedule(every: .milliseconds(100)) { print("tick") }

        let save = Debouncer<String>(on: loop, after: .milliseconds(50)) {
            print("saved \($0)")
        }
        for text in ["h", "he", "hello"] { save.call(text) }

        try await loop.clock.sleep(for: .milliseconds(350))
        save.call("goodbye")
        await save.flushAndWait()
        await loop.shutdown(.drain(within: .seconds(1)))
    }
}
