// SPDX-License-Identifier: Apache-2.0

package import BenchKit

/// A rival with a runtime of its own, in a process of its own: `rivals/build-children` builds it.
///
/// Its times and its CPU are taken in the child. The lab asks for one sample in each round; the
/// request and its answer are outside of what is measured.
package struct ChildRival: Sendable {
    package let name: String
    private let child: Child
    /// The packages or programs to install before it can be built.
    private let needs: String
    /// Why Swivel loses to it, where a contest knows no better.
    private let reason: String?

    package init(_ name: String, _ child: Child, needs: String, reason: String? = nil) {
        self.name = name
        self.child = child
        self.needs = needs
        self.reason = reason
    }

    /// Its timers belong to the loop's thread: it takes no part where other threads arm them.
    package static let libev = ChildRival(
        RivalName.libev, Child(built: "libev"), needs: "a C compiler and libev-dev",
        reason: inC)
    package static let libevent = ChildRival(
        RivalName.libevent, Child(built: "libevent"), needs: "a C compiler and libevent-dev",
        reason: inC)
    package static let go = ChildRival(
        RivalName.go, Child(built: "go"), needs: "Go",
        reason: "goroutines share threads, and a collector frees the closures")
    package static let tokio = ChildRival(
        RivalName.tokio, Child(built: "tokio"), needs: "cargo")

    private static let inC = "in C: a function and its data, no closure and no handle"

    /// Those that are built.
    package static var present: [ChildRival] { all.filter { $0.child.isBuilt } }

    /// Those that are not built, and how to have them.
    package static var missing: [MissingRival] {
        all.filter { !$0.child.isBuilt }.map { rival in
            MissingRival(
                rival.name,
                "install \(rival.needs) and run Benchmarks/rivals/build-children, "
                    + "as make bench does")
        }
    }

    /// Those that are built, for a run that has no time for them.
    package static var passedOver: [MissingRival] {
        present.map { MissingRival($0.name, "run without --quick, or name it with --rivals") }
    }

    /// Ends the processes. Their CPU time then counts as the lab's own, and not as that of others on
    /// the machine.
    package static func endAll() {
        for rival in all { rival.child.end() }
    }

    private static func present(except left: [ChildRival]) -> [ChildRival] {
        let names = left.map(\.name)
        return present.filter { !names.contains($0.name) }
    }

    private static let all = [libev, libevent, go, tokio]

    /// A side for each that is built.
    ///
    /// - Parameter reasons: why Swivel loses to those of these names, where that is not the contest's.
    package static func sides(
        _ metrics: [Metric], except left: [ChildRival] = [],
        reasons: [String: String] = [:],
        _ measure: @escaping @Sendable (ChildRival) throws -> Measurement
    ) -> [Side] {
        present(except: left).map { rival in
            Side(rival.name, metrics, reason: reasons[rival.name] ?? rival.reason) {
                try measure(rival)
            }
        }
    }

    /// A line of a curve for each that is built.
    ///
    /// - Parameter most: the largest size that it does in a reasonable time.
    package static func subjects(
        upTo most: Int = .max, except left: [ChildRival] = [],
        _ measure: @escaping @Sendable (ChildRival, Int) throws -> Measurement
    ) -> [Sweep.Subject] {
        present(except: left).map { rival in
            Sweep.Subject(rival.name, reaches: { $0 <= most }, measure: { try measure(rival, $0) })
        }
    }
}

/// The work. Each runtime's sources say what one operation is.
extension ChildRival {
    /// Has the thread that works stay on the core of threads that are measured alone.
    private var onOneCore: String { " core=\(Cores.stayElsewhere())" }

    package func pairs(outstanding: Int, operations: Int) throws -> Measurement {
        try child.ask("pairs outstanding=\(outstanding) operations=\(operations)\(onOneCore)")
            .measurement(operations: operations, fires: 0)
    }

    package func churn(outstanding: Int, warmUp: Int, operations: Int) throws -> Measurement {
        try child.ask(
            "churn outstanding=\(outstanding) warmup=\(warmUp) operations=\(operations)\(onOneCore)"
        ).measurement(operations: operations, fires: 0)
    }

    package func debounce(outstanding: Int, operations: Int) throws -> Measurement {
        try child.ask("debounce outstanding=\(outstanding) operations=\(operations)\(onOneCore)")
            .measurement(operations: operations, fires: 1)
    }

    /// - Parameter range: the nanoseconds within which the timers are due.
    package func burst(_ count: Int, range: Int) throws -> Measurement {
        try child.ask("burst count=\(count) range_ms=\(range / 1_000_000)")
            .measurement(operations: count, fires: count)
    }

    /// - Parameter range: the nanoseconds over which the timers are spread.
    package func spread(_ count: Int, range: Int) throws -> Measurement {
        try child.ask("spread count=\(count) range_ms=\(range / 1_000_000)")
            .measurement(operations: count, fires: count)
    }

    package func lateness(count: Int, outstanding: Int) throws -> Measurement {
        try timed("lateness count=\(count) outstanding=\(outstanding)", count)
    }

    package func pairsFromThreads(_ producers: Int, each: Int) throws -> Measurement {
        try child.ask("threads producers=\(producers) each=\(each)")
            .measurement(operations: producers * each, fires: 0)
    }

    package func posts(producers: Int, each: Int, capturing: Bool) throws -> Measurement {
        let count = producers * each
        return try child.ask(
            "posts producers=\(producers) each=\(each) capturing=\(capturing ? 1 : 0)"
        ).measurement(operations: count, fires: count)
    }

    package func roundTrips(_ trips: Int) throws -> Measurement {
        try timed("roundtrips trips=\(trips)", trips)
    }

    private func timed(_ request: String, _ count: Int) throws -> Measurement {
        let answer = try child.ask(request)
        var measurement = try answer.measurement(operations: count, fires: count)
        try measurement.check("times", answer.times.count, is: count)
        return measurement
    }
}
