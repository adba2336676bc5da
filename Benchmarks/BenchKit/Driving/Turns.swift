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

    /// The cost of a call in a turn of its own, like an event of a program: `turns` turns
    /// with the call, less as many empty ones, which run before and after them.
    package func net(turns: Int, _ call: @escaping @Sendable () -> Void) -> Span {
        let before = time(warmUp: turns / 10, turns: turns) { _ in }
        let full = time(warmUp: turns / 10, turns: turns) { _ in call() }
        let after = time(warmUp: 0, turns: turns) { _ in }
        // One nanosecond a call at least: noise must not make anybody infinitely good.
        let least = UInt64(turns)
        let wall = (before.wall + after.wall) / 2 + least
        let cpu = (before.cpu + after.cpu) / 2 + least
        return Span(
            wall: max(full.wall, wall) - wall + least, cpu: max(full.cpu, cpu) - cpu + least)
    }

    /// The turns under way: each one posts the next.
    private final class Series: @unchecked Sendable {
        // `@unchecked` because the fields are used by one turn at a time and read after the last.
        private let post: Post
        private let turns: Range<Int>
        private let body: @Sendable (Int) -> Void
        private let done = DispatchSemaphore(value: 0)
        private(set) var wallAtStart: UInt64 = 0
        private(set) var wallAtEnd: UInt64 = 0
        private(set) var cpuAtStart: UInt64 = 0

        init(post: @escaping Post, turns: Range<Int>, body: @escaping @Sendable (Int) -> Void) {
            self.post = post
            self.turns = turns
            self.body = body
        }

        func runAndWait() {
            post {
                Cores.stay()
                self.cpuAtStart = Clocks.processCPU()
                self.wallAtStart = Clocks.wall()
                self.step(self.turns.lowerBound)
            }
            done.wait()
        }

        private func step(_ turn: Int) {
            body(turn)
            if turn + 1 < turns.upperBound {
                post { self.step(turn + 1) }
            } else {
                wallAtEnd = Clocks.wall()
                done.signal()
            }
        }
    }
}
