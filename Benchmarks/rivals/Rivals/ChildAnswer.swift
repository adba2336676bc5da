// SPDX-License-Identifier: Apache-2.0

package import BenchKit

/// The findings of a child in one sample.
package struct ChildAnswer: Sendable, Equatable {
    private var numbers: [String: Int] = [:]
    /// The single times, in nanoseconds, where the work has some.
    package private(set) var times: [Int64] = []

    /// Reads `ok wall=1 cpu=2 … times=1,2,3`.
    init(_ line: String) throws(ChildFailure) {
        let words = line.split(separator: " ")
        if words.first == "error" { throw .refusal(words.dropFirst().joined(separator: " ")) }
        guard words.first == "ok" else { throw .nonsense(line) }
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .nonsense(line) }
            if parts[0] == "times" {
                let found = parts[1].split(separator: ",").map { Int64($0) }
                times = found.compactMap(\.self)
                guard times.count == found.count else { throw .nonsense(line) }
            } else {
                guard let number = Int(parts[1]) else { throw .nonsense(line) }
                numbers[String(parts[0])] = number
            }
        }
        for name in Self.names where numbers[name] == nil { throw .nonsense(line) }
    }

    private static let names = [
        "wall", "cpu", "sleeps", "preemptions", "operations", "fired", "left",
    ]

    private func number(_ name: String) -> Int { numbers[name] ?? 0 }

    /// The answer as a measurement, with its counts compared with what they have to be.
    package func measurement(operations: Int, fires: Int) throws -> Measurement {
        var lateness = Lateness()
        for time in times { lateness.record(time) }
        var measurement = times.isEmpty ? Measurement() : lateness.measurement
        var span = Span(
            wall: UInt64(max(0, number("wall"))), cpu: UInt64(max(0, number("cpu"))))
        span.switches = Switches(
            sleeps: number("sleeps"), preemptions: number("preemptions"))
        measurement.add(span, operations: operations)
        try measurement.check("operations", number("operations"), is: operations)
        try measurement.check("fired", number("fired"), is: fires)
        try measurement.check("left behind", number("left"), is: 0)
        return measurement
    }
}
