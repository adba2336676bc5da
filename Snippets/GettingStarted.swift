// SPDX-License-Identifier: Apache-2.0
import Swivel

/// Keeps text, and saves it 200 ms after the last change, and 2 s after
/// the first at the latest.
actor Notes {
    private var text = ""
    private let loop: Loop
    private lazy var save = Coalescer(
        on: loop, after: .milliseconds(200), maxWait: .seconds(2)
    ) { [weak self] in
        Task { await self?.store() }
    }

    init(on loop: Loop) {
        self.loop = loop
    }

    func append(_ line: String) {
        text += line
        save.call()
    }

    private func store() {
        print("saved \(text.count) characters")
    }
}

@main
struct Hello {
    static func main() async throws {
        let loop = try Loop(.init(name: "hello"))
        loop.schedule(after: .milliseconds(100)) {
            print("hello, 100 ms later")
        }

        let notes = Notes(on: loop)
        for word in ["a ", "few ", "words"] { await notes.append(word) }

        try await loop.clock.sleep(for: .milliseconds(500))
        let report = await loop.shutdown()
        print(
            "\(report.ran) closures ran at the end,",
            "\(report.cancelled) were released")
    }
}
