// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// Prints the checksums of files. `--parallel` says how many are read at once. Control-C cancels.
@main
enum Main {
    static func main() async throws {
        let options = Options()
        let pool = WorkerPool(
            name: "runner", threads: max(options["parallel", default: 2], 1))
        let loop = try Loop(Loop.Configuration(name: "runner"))
        let jobs = options.words.map { path in
            Checksum.job(of: path, on: pool).onSuccess(on: loop) {
                Display.tell("read \($0.path)")
            }
        }
        let all = Job<[Checksum], any Error>.concurrent(jobs)
        all.onProgress(on: loop) { Display.show($0.fraction) }
        loop.signals([.interrupt]) { _ in all.cancel() }
        Display.tell("\(jobs.count) files, \(options["parallel", default: 2]) at once")

        do {
            let sums = try await all.value
            await end(loop)
            for sum in sums { say("\(sum.value) \(sum.size) \(sum.path)") }
        } catch is CancellationError {
            await end(loop)
            let done = jobs.count { $0.state == .completed }
            warn("cancelled: \(done) of \(jobs.count) files were read\n")
            exit(130)
        } catch {
            await end(loop)
            fail(error.localizedDescription)
        }
    }

    /// The loop shows the last of the progress before the result comes.
    private static func end(_ loop: Loop) async {
        _ = await loop.shutdown(.drain(within: .seconds(1)))
        Display.clear()
    }
}

/// The standard error output: a bar in a terminal, lines elsewhere.
enum Display {
    private static let isTerminal = isatty(STDERR_FILENO) == 1

    /// A line, unless there is a bar.
    static func tell(_ text: String) {
        if !isTerminal { warn("\(text)\n") }
    }

    /// The bar, on the line where it was before.
    static func show(_ fraction: Double) {
        guard isTerminal else { return }
        let full = Int(fraction * 40)
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 40 - full)
        warn("\r\(bar) \(Int(fraction * 100)) %")
    }

    static func clear() {
        if isTerminal { warn("\r\u{1B}[K") }
    }
}
