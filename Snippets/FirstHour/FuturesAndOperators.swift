// SPDX-License-Identifier: Apache-2.0
import Swivel

func fetch(_ page: String, then: @escaping @Sendable (String) -> Void) {
    then("text of \(page)")
}
func count(_ text: String) -> Int { text.count }
let loop = try Loop()

// A callback becomes a value: runs in the background, and waits.
let text = <<~{ fetch("index", then: $0) }

// A function becomes a future: on the worker pool, back on the loop.
let words = count ~>> (text)
words.onSuccess(on: loop) { print("\($0) characters") }

// The same with names, a time limit, and two at once.
let both = loop.submit { 6 * 7 }.zip(words).timeout(.seconds(1))
print(try both.await())
loop.shutdown(.drain(within: .seconds(1)))
