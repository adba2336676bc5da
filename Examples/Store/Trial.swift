// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// Feeds a store with changes, ends it by SIGTERM at a random moment, and looks for each change that
/// it has acknowledged in its file. The next round goes on with the same file.
actor Trial {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private var random: SeededRandom
    private let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("store-\(getpid()).json")
    /// The latest change of each key. Values are numbers that grow.
    private var acknowledged: [String: Int] = [:]
    private var count = 0
    private var saves = 0
    private var sent = 0
    /// Bytes that the pipe has not taken yet.
    private var rest: ArraySlice<UInt8> = []

    init(seed: UInt64, on loop: Loop) {
        self.loop = loop
        random = SeededRandom(seed: seed)
    }

    func run(rounds: Int) async throws {
        defer { try? FileManager.default.removeItem(at: file) }
        signal(SIGPIPE, SIG_IGN)  // The store ends while changes are on their way to it.
        for _ in 0..<rounds {
            try await feedAndEnd()
            let found = try JSONDecoder().decode(
                [String: String].self, from: Data(contentsOf: file))
            for (key, number) in acknowledged {
                // A newer one was saved, too, but its acknowledgement was cut off.
                let saved = found[key].flatMap { Int($0) } ?? -1
                expect(saved >= number, "\(key) is \(number) on disk, or newer, not \(saved)")
            }
        }
        say("\(rounds) ends by SIGTERM, \(count) acknowledged changes in \(saves) saves, none lost")
        expect(count > 0, "changes were acknowledged")
    }

    private func feedAndEnd() async throws {
        let store = try Child(["keep", file.path, "--delay", "0.01"], readsOutput: true)
        _ = fcntl(store.input, F_SETFL, O_NONBLOCK)
        rest = []
        let feeding = loop.watch(store.input, for: .writable) { [weak self] _ in
            self?.assumeIsolated { $0.feed(store.input) }
        }
        var lines = Lines()
        var isTold = false
        for await event in loop.events(of: store.output) {
            guard event.error == nil, let answers = lines.read(store.output) else { break }
            for answer in answers { note(answer) }
            // With the first answer it is sure to watch for the signal.
            if !isTold, !answers.isEmpty {
                isTold = true
                let moment = random.time(in: .zero...(.milliseconds(150)))
                loop.schedule(after: moment) { store.send(SIGTERM) }
            }
        }
        feeding.cancel()
        close(store.input)
        close(store.output)
        expect(store.wait() == 0, "the store ends well")
    }

    /// A batch of changes, once the pipe has taken the last one.
    private func feed(_ pipe: Int32) {
        if rest.isEmpty {
            let batch = (0..<100).map { "key\($0) \(sent + $0)\n" }
            sent += batch.count
            rest = ArraySlice(batch.joined().utf8)
        }
        // A pipe that nobody reads any more takes nothing: the answers' end stops the feeding.
        let taken = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
        rest = rest.dropFirst(max(taken, 0))
    }

    private func note(_ answer: String) {
        let words = answer.split(separator: " ")
        guard words.count == 3, let number = Int(words[2]) else {
            fail("'\(answer)' is no answer")
        }
        switch words[0] {
        case "ok":
            acknowledged[String(words[1])] = number
            count += 1
        case "saved": saves += number
        default: fail("'\(answer)' is no answer")
        }
    }
}
