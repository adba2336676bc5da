// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// `keep FILE` takes lines `key value`, answers `ok key value`, and saves what it has acknowledged
/// at SIGTERM; then it prints `saved CHANGES SAVES`. Without it, a trial ends such processes at random moments.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        if options.words.count == 2, options.words[0] == "keep" {
            try await keep(URL(fileURLWithPath: options.words[1]), options)
        } else {
            let seed = options.seed
            say("seed \(seed)")
            let loop = try Loop(Loop.Configuration(name: "trial"))
            try await Trial(seed: seed, on: loop).run(rounds: options["rounds", default: 50])
        }
    }

    private static func keep(_ file: URL, _ options: Options) async throws {
        let loop = try Loop(Loop.Configuration(name: "store"))
        let delay = options[seconds: "delay", default: .milliseconds(200)]
        let store = try Store(in: file, savingAfter: delay, longest: delay * 10)
        let (end, ending) = AsyncStream<Void>.makeStream()
        loop.signals([.terminate, .interrupt]) { _ in ending.finish() }
        nonisolated(unsafe) var lines = Lines()  // because only the watch's closure reads them
        _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK)
        let client = loop.watch(STDIN_FILENO) { event in
            guard event.error == nil, let fresh = lines.read(STDIN_FILENO) else {
                return ending.finish()
            }
            let accepted = fresh.filter { line in
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                if words.count == 2 { store.set(words[0], to: words[1]) }
                return words.count == 2
            }
            if !accepted.isEmpty { say(accepted.map { "ok \($0)" }.joined(separator: "\n")) }
        }
        for await _ in end {}
        // First the last change, then the last save. An acknowledgement that is under way ends with
        // the shutdown of the loop.
        client.cancel()
        _ = await loop.shutdown()
        let (changes, saves) = try await store.close()
        say("saved \(changes) \(saves)")
    }
}
