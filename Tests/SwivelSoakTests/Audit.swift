// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import SwivelTestSupport

/// Checks the loads: how much they have done, the rules that were broken, and the process.
struct Audit {
    private let loads: [any SoakLoad]
    private let began = ContinuousClock.now
    private var memory: [(minutes: Double, bytes: Double)] = []
    private(set) var faults: [String] = []

    init(of loads: [any SoakLoad]) { self.loads = loads }

    var elapsed: Duration { began.duration(to: .now) }

    mutating func check(prints: Bool) {
        let bytes = Machine.privateBytes()
        memory.append((elapsed / .seconds(60), Double(bytes)))
        faults = loads.flatMap { load in load.faults.map { "\(load.name): \($0)" } }
        guard prints else { return }
        let counts = loads.map { "\($0.name) \($0.done)" }.joined(separator: ", ")
        print(
            """
            soak: \(Int(elapsed / .seconds(1))) s, \(bytes / 1_048_576) MiB, \
            \(Machine.descriptors().count) descriptors, \(Machine.threads()) threads: \(counts)\
            \(faults.isEmpty ? "" : "; FAULTS: \(faults)")
            """)
    }

    /// The growth of private memory in bytes a minute, by least squares; `nil`: too short a time.
    func slope(after warmUp: Duration) -> Double? {
        let warm = memory.filter { $0.minutes > warmUp / .seconds(60) }
        guard warm.count > 30 else { return nil }
        let count = Double(warm.count)
        let meanTime = warm.reduce(0) { $0 + $1.minutes } / count
        let meanSize = warm.reduce(0) { $0 + $1.bytes } / count
        let spread = warm.reduce(0) { $0 + ($1.minutes - meanTime) * ($1.minutes - meanTime) }
        let product = warm.reduce(0) { $0 + ($1.minutes - meanTime) * ($1.bytes - meanSize) }
        return product / spread
    }
}
#endif
