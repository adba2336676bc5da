// SPDX-License-Identifier: Apache-2.0
// snippet.hide
import Foundation
import Swivel

let loop = try Loop(.init(name: "ticks"))
@Sendable func sample() {}
@Sendable func poll() {}
@Sendable func rotate() {}
// snippet.show
// A grid: first + k · interval. A late tick does not move the next one.
let beat = loop.schedule(every: .seconds(1), missed: .skip) { tick in
    if tick.missed > 0 {
        print("\(tick.missed) missed, this one \(tick.lateness) late")
    }
}

// The pause counts from the end of one run to the start of the next.
let polling = loop.schedule(everyAfterCompletion: .seconds(5)) { poll() }

// Up to ten percent later, so that a thousand servers do not poll at once.
let spread = loop.schedule(every: .seconds(60), jitter: 0...0.1) {
    sample()
}

// At a date of the wall clock, also if that clock is set. Fires once.
let tonight = loop.schedule(at: Date(timeIntervalSinceNow: 6 * 3600)) {
    rotate()
}

// One timer that each message moves, without an allocation per message.
let silence = LoopTimer(on: loop) { print("nothing for 30 s") }
silence.arm(after: .seconds(30))
silence.arm(after: .seconds(30))  // A message: 30 s from now.
// snippet.hide
for timer in [beat, polling, spread, tonight] { timer.cancel() }
loop.shutdown()
