// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// `beat` prints the beats of three timers, one for each way to treat those that were missed.
/// Without it, a trial stops such a process with SIGSTOP and continues it.
@main
enum Main {
    static func main() async { await run(program) }

    private static func program() async throws {
        let options = Options()
        let interval = options[seconds: "interval", default: .milliseconds(100)]
        if options.words == ["beat"] {
            try await beat(every: interval)
        } else {
            let stop = options[seconds: "stop", default: .seconds(1)]
            try await Trial(interval: interval).run(stop: stop)
        }
    }

    /// Beats until the standard input ends, as it does with the process that has started this one.
    private static func beat(every interval: Duration) async throws {
        let loop = try Loop(Loop.Configuration(name: "heartbeat"))
        for policy in [MissedTicks.skip, .delay, .burst] {
            loop.schedule(every: interval, missed: policy) { tick in
                say(Beat(policy: "\(policy)", tick).line)
            }
        }
        for await event in loop.events(of: STDIN_FILENO, for: .hangUp) where event.hasHungUp {
            break
        }
        _ = await loop.shutdown()
    }
}

/// A tick, as it goes through the pipe.
struct Beat {
    let policy: String
    let index: Int
    /// Its instant, and when it came. Processes have the same clock.
    let scheduled: LoopClock.Instant
    let came: LoopClock.Instant
    let missed: Int

    init(policy: String, _ tick: Tick) {
        self.policy = policy
        index = tick.index
        scheduled = tick.scheduled
        came = tick.scheduled + tick.lateness
        missed = tick.missed
    }

    init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count == 5, let index = Int(words[1]), let scheduled = UInt64(words[2]),
            let came = UInt64(words[3]), let missed = Int(words[4])
        else { return nil }
        policy = String(words[0])
        self.index = index
        self.scheduled = LoopClock.Instant(nanoseconds: scheduled)
        self.came = LoopClock.Instant(nanoseconds: came)
        self.missed = missed
    }

    var line: String {
        "\(policy) \(index) \(scheduled.nanoseconds) \(came.nanoseconds) \(missed)"
    }
}
