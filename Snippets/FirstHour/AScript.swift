// SPDX-License-Identifier: Apache-2.0
import Swivel

// At the top level of `main.swift` write `loop.shutdown()`: there Swift
// takes the form that blocks, and warns of an `await`.
let loop = try Loop(.init(name: "script"))
loop.schedule(after: .milliseconds(10)) { print("hello") }
try await loop.clock.sleep(for: .milliseconds(20))

let report = loop.shutdown(.drain(within: .seconds(1)))
print("\(report.cancelled) closures were released")
