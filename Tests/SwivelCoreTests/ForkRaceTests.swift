// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Glibc
import SwivelCore
import SwivelTestSupport
import Testing

/// Forks at any moment of other threads: S3. In exit tests, which have few threads of others.
@Suite(
    .offPool,
    .disabled(
        if: Machine.isThreadSanitized,
        "it does not support a fork of several threads whose child starts threads"))
struct ForkRaceTests {
    /// S3: whatever locks other threads hold at the fork, all that is new works in the child.
    @Test func aChildWorksWhateverOtherThreadsAreDoing() async {
        await #expect(processExitsWith: .success) {
            try exitTest(endAfter: 120) {
                let loop = try Loop()
                let pool = WorkerPool(name: "test.pool", threads: 1)
                let isOver = Shared(false)
                let once: @Sendable (Int) -> Void = { number in
                    loop.once("\(number % 64)", after: .zero) {}
                }
                let each: @Sendable (Int) -> Void = { _ in pool.each(0..<2) { _ in } }
                let timer: @Sendable (Int) -> Void = { _ in
                    loop.schedule(after: .hours(1)) {}.cancel()
                }
                let create: @Sendable (Int) -> Void = { _ in
                    _ = try? Loop.embedded().shutdown()
                }
                let work = [once, each, timer, create]
                // The Swift runtime takes locks of its own where a generic type is used first.
                work.forEach { $0(0) }
                useEverything()
                let threads = work.map { work in
                    TestThread {
                        var number = 0
                        while !isOver.value {
                            work(number)
                            number += 1
                        }
                    }
                }
                for number in 0..<Machine.scaled(300, by: 3) {
                    let code = exitCode(ofChild: useEverything)
                    require(code == 0, "child \(number) ended with \(code)")
                }
                isOver.value = true
                threads.forEach { $0.join() }
                loop.shutdown()
            }
        }
    }
}

/// Everything that a child may do with nothing inherited but memory.
private func useEverything() {
    guard let loop = try? Loop() else { _exit(3) }
    let ran = Gate()
    for id in 0..<64 {
        loop.once("\(id)", after: .zero) { ran.open() }
    }
    require(ran.isOpened(times: 64, seconds: 10), "once")
    let visited = Counter()
    loop.each(0..<3) { _ in visited.add() }
    WorkerPool(name: "test.child", threads: 2).each(0..<3) { _ in visited.add() }
    require(visited.value == 6, "each")
    require(loop.shutdown().isComplete, "shutdown")
}
#endif
