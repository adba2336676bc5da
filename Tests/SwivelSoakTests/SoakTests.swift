// SPDX-License-Identifier: Apache-2.0
#if os(Linux)  // The audit reads /proc.
import Foundation
import SwivelCore
import SwivelFutures
import SwivelTestSupport
import Testing

/// Everything at once, for as long as `SWIVEL_SOAK_MINUTES` says: `make soak`. In the suite it runs
/// for two seconds, so that it works when it is needed.
@Suite(.offPool) struct SoakTests {
    /// Growth of private memory that counts as a leak, in bytes a minute.
    private static let growth = 1_000_000.0
    /// The time in which memory finds its size.
    private static let warmUp = Duration.seconds(300)

    @Test func aMixedLoadHolds() throws {
        let minutes = ProcessInfo.processInfo.environment["SWIVEL_SOAK_MINUTES"].flatMap(
            Double.init)
        let length = Duration.seconds(minutes.map { $0 * 60 } ?? 2)
        var random = Seeded()
        let loops = try (0..<2).map { try Loop(.init(name: "soak \($0)")) }
        let loads: [any SoakLoad] = [
            PostLoad(on: loops[0], producers: 2),
            TimerLoad(on: loops[0], count: minutes == nil ? 1000 : 100_000, random.split()),
            OnceLoad(on: loops[1], random.split()),
            FutureLoad(on: loops[1]),
            SleepLoad(on: loops[1], random.split()),
            IdleLoad(on: loops[1], random.split()),
        ]
        var audit = Audit(of: loads)
        loads.forEach { $0.begin() }
        while audit.elapsed < length {
            usleep(minutes == nil ? 200_000 : 10_000_000)
            audit.check(prints: minutes != nil)
        }
        loads.forEach { $0.end() }
        audit.check(prints: minutes != nil)
        #expect(audit.faults == [])
        if let slope = audit.slope(after: Self.warmUp) {
            print("soak: private memory grows by \(Int(slope)) bytes a minute")
            #expect(slope < Self.growth)
        }
        for loop in loops {
            loop.onThread {}
            let report = loop.shutdown()
            #expect(report.isComplete && report.cancelled == 0 && report.refused == 0)
            #expect(loop.metrics.pending == 0)
        }
    }
}
#endif
