// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

@testable internal import BenchKit

struct ChartsTests {
    @Test func aScaleHoldsItsValuesAndWholePowersOfTen() {
        let scale = LogScale(holding: [0.002, 30_000])
        #expect(scale.first == -3)
        #expect(scale.last == 5)
        #expect(scale.place(0.001) == 0)
        #expect(abs(scale.place(10) - 0.5) < 1e-9)
        #expect(scale.place(.infinity) == 1)
        #expect(scale.place(0) == 0)
        #expect(LogScale(holding: [1, 1000]).ticks(atMost: 4) == [1, 10, 100, 1000])
        #expect(LogScale(holding: Array(repeating: 1.0, count: 3)).last == 1)
        #expect(scale.ticks(atMost: 3).count <= 3)
    }

    @Test func aLossOf489IsAsLongAsAWinOf489() {
        let scale = LogScale(holding: [0.001, 1_000])
        let rows = [489.0, 1 / 489.0].map { ratio in Samples.rowChanged { $0.ratio = ratio } }
        let bars = rows.map { RatioBar($0, budget: nil, scale: scale) }
        #expect(bars[0].isWin)
        #expect(!bars[1].isWin)
        let lengths = bars.map { $0.bar.upperBound - $0.bar.lowerBound }
        #expect(abs(lengths[0] - lengths[1]) < 1e-9)
        #expect(lengths[0] > 0.4)
        #expect(bars[0].bar.lowerBound == bars[1].bar.upperBound)
        #expect(bars[1].html.contains("class=\"loss\""))
    }

    /// Equality is in the middle, and a few ratios beyond a thousand do not shrink all others.
    @Test func aScaleOfRatiosIsTheSameBothWays() {
        let cases: [([Double], Int)] = [
            ([20], 2), ([0.5], 1), ([], 1), ([0.004, 2], 3), ([1e9, 0], 3),
        ]
        for (ratios, decades) in cases {
            let scale = LogScale.both(holding: ratios)
            #expect(scale.first == -decades && scale.last == decades)
            #expect(abs(scale.place(1) - 0.5) < 1e-9)
        }
        #expect(LogScale.both(holding: [20]).step == "25.000%")
        #expect(LogScale.both(holding: [20]).highest == 100)
    }

    @Test(
        arguments: [
            (1_000, false), (1_001, true), (0.001, false), (0.0009, true), (0, true), (nil, true),
        ] as [(Double?, Bool)])
    func aBarBeyondTheScaleIsPointed(_ ratio: Double?, _ isBeyond: Bool) {
        let row = Samples.rowChanged { $0.ratio = ratio }
        let bar = RatioBar(row, budget: nil, scale: .both(holding: [1_000]))
        #expect(bar.isBeyond == isBeyond)
        #expect(bar.html.contains(" beyond\"") == isBeyond)
    }

    @Test func aBarHasItsWhiskerAndItsBudget() {
        let scale = LogScale(holding: [0.1, 1_000])
        let row = Samples.rowChanged {
            $0.low = 40
            $0.high = 60
        }
        let bar = RatioBar(row, budget: Samples.budget, scale: scale)
        #expect(bar.whisker == scale.place(40)...scale.place(60))
        #expect(bar.must == scale.place(25))
        #expect(RatioBar(Samples.row, budget: nil, scale: scale).whisker == nil)
    }

    @Test(arguments: [Curve.Axis.outstanding, .producers, .percentile])
    func noTextOfALineChartIsClipped(_ axis: Curve.Axis) {
        for height in [1.0, 999, 40_000, 9e9] {
            let canvas = LineChart(Samples.curve(axis, highest: height)).canvas()
            #expect(!canvas.labels.isEmpty)
            #expect(canvas.clipped.isEmpty, "\(canvas.clipped)")
        }
    }

    @Test func aTextBeyondTheEdgeIsFound() {
        var canvas = Canvas(width: 100, height: 50, description: "")
        canvas.text("inside", x: 50, y: 20, anchor: .middle, kind: "tick")
        #expect(canvas.clipped.isEmpty)
        canvas.text("a text too long", x: 50, y: 20, anchor: .end, kind: "tick")
        canvas.text("x", x: 50, y: 51, anchor: .end, kind: "tick")
        #expect(canvas.clipped.count == 2)
    }

    @Test func aLineHasItsContendersAndTheirFigures() {
        let chart = LineChart(Samples.curve(.outstanding, highest: 500))
        let svg = chart.canvas().svg
        #expect(svg.contains("Swivel, 100k: 50 ns/op"))
        #expect(chart.legend().contains("a rival"))
    }

    @Test func aLongWhiskerEndsAtTheChartsEdge() {
        var curve = Samples.curve(.outstanding, highest: 900)
        let labels = LineChart(curve).canvas().labels
        (curve.series[0].points[0].low, curve.series[0].points[0].high) = (1, 1e9)
        let canvas = LineChart(curve).canvas()
        #expect(canvas.labels == labels)
        #expect(
            canvas.svg.contains("class=\"whisker s0\" x1=\"52\" y1=\"200\" x2=\"52\" y2=\"12\""))
    }

    /// No rival inherits the bold line of a Swivel that failed.
    @Test func onlySwivelIsBold() {
        var curve = Samples.curve(.producers, highest: 500)
        #expect(LineChart(curve).canvas().svg.contains("line s0"))
        curve.series.removeFirst()
        let chart = LineChart(curve)
        #expect(chart.canvas().svg.contains("line s1"))
        #expect(!(chart.canvas().svg + chart.legend()).contains("s0"))
    }

    /// Fifteen rivals, of eight colours.
    @Test func noTwoLinesLookTheSame() throws {
        var curve = Samples.curve(.outstanding, highest: 500)
        let rival = try #require(curve.series.last)
        curve.series += (2..<16).map { Curve.Series(name: "\($0)", points: rival.points) }
        let looks = LineChart(curve).legend().matches(of: /class="(s\d[^"]*)"/).map(\.1)
        #expect(looks.count == 16)
        #expect(Set(looks).count == 16)
        #expect(looks[8...].allSatisfy { $0 != "s0" })
    }
}
