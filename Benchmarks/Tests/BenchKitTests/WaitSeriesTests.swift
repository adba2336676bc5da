// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Testing

@Suite(.serialized)
struct WaitSeriesTests {
    @Test(arguments: WaitSeries.Setting.allCases)
    func aSeriesMeasuresAllItsMetrics(_ setting: WaitSeries.Setting) throws {
        let series = WaitSeries(setting, 5)
        let measurement = try series.measure { $0 }
        #expect(Set(series.metrics).isSubset(of: measurement.values.keys))
        #expect(measurement.values.values.allSatisfy { $0 >= 0 })
    }

    @Test func theSlowestInAHundredIsToldOfMany() {
        #expect(!WaitSeries(.backToBack, 999).metrics.contains(.p99))
        #expect(WaitSeries(.backToBack, 1_000).metrics.contains(.p99))
    }

    @Test func aWaitThatGivesAnotherNumberFailsTheSeries() {
        #expect(throws: CountMismatch.self) { try WaitSeries(.backToBack, 5).measure { _ in 1 } }
    }

    @Test func theWaitsRunInTheTurnThatIsAskedFor() throws {
        let turns = Tally()
        let asked = Turns { work in
            turns.cell.pointee += 1
            work()
        }
        _ = try WaitSeries(.backToBack, 5).measure(on: asked) { $0 }
        #expect(turns.value == 1)
    }

    @Test func aBusyThreadsTimeIsNotTheSpans() {
        let length: UInt64 = 50_000_000
        let span = Span.of(besideBusyThread: true) { Clocks.pause(length) }
        #expect(span.wall >= length)
        #expect(span.cpu < length / 2)
    }

    @Test func aThreadThatSleepsIsCounted() throws {
        let span = Span.of {
            for _ in 0..<10 { Clocks.pause(100_000) }
        }
        let switches = try #require(span.switches)
        #expect(switches.sleeps >= 10)
    }
}
