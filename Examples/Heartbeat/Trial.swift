// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel
internal import Trials

/// Stops a process that beats, continues it, and holds each of its beats to the rule of its timer.
struct Trial {
    let interval: Duration

    func run(stop: Duration) async throws {
        let loop = try Loop(Loop.Configuration(name: "trial"))
        let heart = try Child(
            ["beat", "--interval", "\(interval / .seconds(1))"], readsOutput: true)
        var beats = Beats(of: heart.output, on: loop)
        var heard: [Beat] = []
        while heard.count < 15, let beat = await beats.next() { heard.append(beat) }

        heart.send(SIGSTOP)
        var status: Int32 = 0
        waitpid(heart.id, &status, WUNTRACED)  // Returns once the process has stopped.
        let stopped = loop.now
        try await loop.clock.sleep(for: stop)
        let continued = loop.now
        heart.send(SIGCONT)
        say("stopped for \((continued - stopped).text), with a beat every \(interval.text)")

        while let beat = await beats.next() {
            heard.append(beat)
            let late = heard.filter { $0.policy == beat.policy && $0.scheduled > continued }
            // All three have caught up: what comes now is on time again.
            if late.count >= 5, Set(heard.suffix(3).map(\.policy)).count == 3 { break }
        }
        close(heart.input)
        expect(heart.wait() == 0, "the process ends when its input does")

        let instants = Int((continued - stopped) / interval)
        for policy in ["skip", "delay", "burst"] {
            let own = heard.filter { $0.policy == policy }
            check(own, policy, instants: instants)
            let inStop = own.filter { $0.scheduled > stopped && $0.scheduled < continued }
            let missed = own.reduce(0) { $0 + $1.missed }
            say(
                """
                .\(policy): \(own.count) beats, \(missed) missed, \
                \(inStop.count) of the stop's instants beat afterwards
                """)
        }
    }

    private func check(_ beats: [Beat], _ policy: String, instants: Int) {
        guard let first = beats.first else { fail("no beat of .\(policy) came") }
        var missed = 0
        for (last, beat) in zip(beats, beats.dropFirst()) {
            expect(beat.came >= beat.scheduled, "\(beat.line) is not early")
            missed += beat.missed
            let onGrid = first.scheduled + interval * (beat.index - first.index)
            switch policy {
            case "skip":
                expect(beat.scheduled == onGrid, "\(beat.line) is on the first beat's grid")
                expect(beat.index == last.index + 1 + beat.missed, "\(beat.line) counts all")
            case "burst":
                expect(beat.scheduled == onGrid, "\(beat.line) is on the first beat's grid")
                expect(beat.index == last.index + 1, "\(beat.line) follows \(last.line)")
            default:
                expect(beat.index == last.index + 1, "\(beat.line) follows \(last.line)")
                // After a tick that others were missed before, the grid begins anew at that tick.
                let start = last.missed == 0 ? last.scheduled : last.came
                expect(beat.scheduled == start + interval, "\(beat.line) is an interval later")
            }
        }
        // Of the instants while it stood still, the latest may have been beaten, and only that.
        if policy == "burst" {
            expect(missed == 0, ".burst misses none")
        } else {
            expect(missed >= instants - 1, ".\(policy) has missed \(missed) of \(instants)")
        }
    }
}

/// The lines that a process prints, as beats.
private struct Beats {
    private let output: Int32
    private var events: WatchEvents.Iterator
    private var lines = Lines()
    private var fresh: ArraySlice<String> = []

    init(of output: Int32, on loop: Loop) {
        self.output = output
        events = loop.events(of: output).makeAsyncIterator()
    }

    /// The next one; `nil` at the end of the output.
    mutating func next() async -> Beat? {
        while fresh.isEmpty {
            guard let event = await events.next(), event.error == nil,
                let more = lines.read(output)
            else { return nil }
            fresh = more[...]
        }
        return fresh.popFirst().flatMap { Beat(line: $0) }
    }
}
