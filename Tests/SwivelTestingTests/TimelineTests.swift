// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTesting
import Testing

@Suite struct TimelineTests {
    /// One column a step, up to the loop's time.
    @Test func aTimelineIsDrawnUpToNow() throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        #expect("\(line)" == "-")
        loop.schedule(after: .seconds(2)) { line.mark("a") }
        loop.schedule(after: .seconds(5)) { line.mark("b") }
        loop.advance(by: .seconds(4))
        #expect("\(line)" == "--a--")
        loop.advance(by: .seconds(4))
        #expect("\(line)" == "--a--b---")
    }

    /// A drawing survives a round trip.
    @Test(arguments: ["--a--b|", "a", "(abc)-d", "-", "---(x|)", "0123456789|"])
    func aDrawingIsPlayed(drawing: String) throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        loop.play(drawing) { symbol in
            symbol == "|" ? line.end() : line.mark(String(symbol))
        }
        try loop.runUntilIdle()
        #expect("\(line)" == drawing)
    }

    /// Blanks are there for the eye.
    @Test func blanksTakeNoTime() throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        loop.play("-- a -b") { line.mark(String($0)) }
        loop.advance(by: .seconds(4))
        #expect("\(line)" == "--a-b")
    }

    /// A debounce, drawn.
    @Test func aDebounceIsReadable() throws {
        let loop = try Loop.manual()
        let line = Timeline(on: loop)
        let save = Coalescer(on: loop, after: .seconds(3)) { line.mark("s") }
        loop.play("ccc-----c") { _ in save.call() }
        loop.advance(by: .seconds(12))
        #expect("\(line)" == "-----s-----s-")
    }
}
