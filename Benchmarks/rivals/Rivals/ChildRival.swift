// SPDX-License-Identifier: Apache-2.0
package import BenchKit
internal import Foundation

/// A rival in a process of its own, which `scripts/build-children` builds.
///
/// The lab starts it for each sample with the request as arguments, `pairs outstanding=1000
/// operations=100000`, and reads one line, `ok wall=… cpu=… operations=… fired=… left=…`. The program
/// takes the times itself: its start is not measured.
package struct ChildRival: Sendable {
    package let name: String
    private let program: String
    /// The packages or programs to install before it can be built.
    private let needs: String
    private let reason: String?

    private init(_ name: String, needs: String, reason: String? = nil) {
        self.name = name
        self.needs = needs
        self.reason = reason
        let starts = [
            URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
            URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath(),
        ]
        let root = Surroundings.folder(holding: "Benchmarks/Budgets.json", from: starts)
        program = (root?.path ?? "") + "/Benchmarks/.build/children/\(name)"
    }

    /// Its timers belong to the loop's thread: it takes no part where other threads arm them.
    package static let libev = ChildRival(
        RivalName.libev, needs: "a C compiler and libev-dev",
        reason: "in C: a function and its data, no closure and no handle")
    package static let tokio = ChildRival(RivalName.tokio, needs: "cargo")

    private var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Those that are built.
    package static var present: [ChildRival] { [libev, tokio].filter(\.isBuilt) }

    /// Those that are not built, and how to have them.
    package static var missing: [Note] {
        [libev, tokio].filter { !$0.isBuilt }.map { rival in
            Note(rival.name, "install \(rival.needs) and run scripts/build-children")
        }
    }

    /// A side for each that is built.
    ///
    /// - Parameter reason: why Swivel loses, if that is not the rival's own.
    package static func sides(
        except left: String? = nil, _ metrics: [Metric], reason: String? = nil,
        _ measure: @escaping @Sendable (ChildRival) throws -> BenchKit.Measurement
    ) -> [Side] {
        present.filter { $0.name != left }.map { rival in
            Side(rival.name, metrics, reason: reason ?? rival.reason) { try measure(rival) }
        }
    }

    package func pairs(outstanding: Int, operations: Int) throws -> BenchKit.Measurement {
        try ask("pairs outstanding=\(outstanding) operations=\(operations)", operations, fires: 0)
    }

    package func churn(outstanding: Int, warmUp: Int, operations: Int) throws
        -> BenchKit.Measurement
    {
        try ask(
            "churn outstanding=\(outstanding) warmup=\(warmUp) operations=\(operations)",
            operations, fires: 0)
    }

    /// - Parameter range: the nanoseconds within which the timers are due.
    package func burst(_ count: Int, range: Int) throws -> BenchKit.Measurement {
        try ask("burst count=\(count) range_ms=\(range / 1_000_000)", count, fires: count)
    }

    package func posts(producers: Int, each: Int) throws -> BenchKit.Measurement {
        let count = producers * each
        return try ask("posts producers=\(producers) each=\(each)", count, fires: count)
    }

    private func ask(_ request: String, _ operations: Int, fires: Int) throws
        -> BenchKit.Measurement
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = request.split(separator: " ").map(String.init)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let line = String(decoding: output, as: UTF8.self)
        var numbers: [Substring: Int] = [:]
        for word in line.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=")
            if parts.count == 2 { numbers[parts[0]] = Int(parts[1]) }
        }
        guard line.hasPrefix("ok "), let wall = numbers["wall"], let cpu = numbers["cpu"] else {
            throw BenchFailure("\(name) answered \"\(line.prefix(200))\" to \"\(request)\"")
        }
        var measurement = BenchKit.Measurement(
            Span(wall: UInt64(max(0, wall)), cpu: UInt64(max(0, cpu))), operations: operations)
        try measurement.check("operations", numbers["operations"] ?? -1, is: operations)
        try measurement.check("fired", numbers["fired"] ?? -1, is: fires)
        try measurement.check("left behind", numbers["left"] ?? -1, is: 0)
        return measurement
    }
}
