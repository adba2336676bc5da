// SPDX-License-Identifier: Apache-2.0
internal import Dispatch

/// Work on a loop or a serial queue in pieces, each piece a turn of its own, as a server's work
/// comes: what a turn costs by itself is then part of what is measured.
package struct Turns: Sendable {
    /// Hands a closure over to the loop or queue.
    package typealias Post = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// How many operations go into one turn, on every side.
    package static let operations = 1_000

    private let post: Post

    package init(post: @escaping Post) { self.post = post }

    /// Runs one piece there and waits for it.
    package func run(_ work: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        post {
            work()
            done.signal()
        }
        done.wait()
    }

    /// Runs `warmUp` turns that do not count and then `turns` that do. CPU time goes on until the
    /// process is idle again, so that work left to other threads is not missed. The thread that
    /// runs them stays on one core: see ``Cores/stay()``.
    ///
    /// - Parameter turn: gets the turn's number, from 0; it runs on the loop or queue.
    package func time(
        warmUp: Int, turns: Int, _ turn: @escaping @Sendable (Int) -> Void
    ) -> Span {
        if warmUp > 0 { Series(post: post, turns: 0..<warmUp, body: turn).runAndWait() }
        Settle.untilIdle()
        let measured = Series(post: post, turns: warmUp..<(warmUp + turns), body: turn)
        measured.runAndWait()
        let cpu = Settle.untilIdle()
        Cores.release()  // A serial queue may have gone on in another thread.
        return Span(
            wall: Clocks.elapsed(from: measured.wallAtStart, to: measured.wallAtEnd),
            cpu: Clocks.elapsed(from: measured.cpuAtStart, to: cpu))
    }

    /// The cost of a call in a turn of its own, like an event of a program: turns with the call
    /// less empty ones, in blocks by turns, so that a machine that grows slower meets both.
    package func net(turns: Int, _ call: @escaping @Sendable () -> Void) -> Span {
        let block = max(1, turns / Self.blocks)
        let series = Series(post: post, turns: 0..<(2 * Self.blocks + 1) * block, mark: block) {
            if !($0 / block).isMultiple(of: 2) { call() }
        }
        Series(post: post, turns: 0..<block) { _ in call() }.runAndWait()
        Settle.untilIdle()
        series.runAndWait()
        Settle.untilIdle()
        Cores.release()
        let costs = zip(series.marks, series.marks.dropFirst()).map { start, end in
            Span(wall: end.wall - start.wall, cpu: end.cpu - start.cpu)
        }
        // The median of what a block with calls costs more than its neighbours; 1 ns a call at least.
        func net(_ costs: [UInt64]) -> UInt64 {
            let nets = stride(from: 1, to: costs.count - 1, by: 2).map { (index: Int) -> Double in
                let beside = costs[index - 1] + costs[index + 1]
                return Double(costs[index]) - Double(beside) / 2
            }
            let call: Double = max(Statistics.median(nets) / Double(block), 1)
            return UInt64(call * Double(turns))
        }
        return Span(wall: net(costs.map(\.wall)), cpu: net(costs.map(\.cpu)))
    }

    /// How many blocks of turns have the call; one more than that are empty.
    private static let blocks = 9

    /// The turns under way: each one posts the next.
    private final class Series: @unchecked Sendable {
        // `@unchecked` because the fields are used by one turn at a time and read after the last.
        private let post: Post
        private let turns: Range<Int>
        private let body: @Sendable (Int) -> Void
        /// After how many turns the clocks are read; 0 is never.
        private let mark: Int
        /// The readings: before the first turn, and after each block of turns.
        private(set) var marks: [Span] = []
        private let done = DispatchSemaphore(value: 0)
        private(set) var wallAtStart: UInt64 = 0
        private(set) var wallAtEnd: UInt64 = 0
        private(set) var cpuAtStart: UInt64 = 0

        init(
            post: @escaping Post, turns: Range<Int>, mark: Int = 0,
            body: @escaping @Sendable (Int) -> Void
        ) {
            self.mark = mark
            self.post = post
            self.turns = turns
            self.body = body
        }

        func runAndWait() {
            post {
                Cores.stay()
                self.cpuAtStart = Clocks.processCPU()
                self.wallAtStart = Clocks.wall()
                if self.mark > 0 { self.readClocks() }
                self.step(self.turns.lowerBound)
            }
            done.wait()
        }

        private func step(_ turn: Int) {
            body(turn)
            if mark > 0, (turn + 1).isMultiple(of: mark) { readClocks() }
            if turn + 1 < turns.upperBound {
                post { self.step(turn + 1) }
            } else {
                wallAtEnd = Clocks.wall()
                done.signal()
            }
        }

        private func readClocks() {
            marks.append(Span(wall: Clocks.wall(), cpu: Clocks.processCPU()))
        }
    }
}
