// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Swivel
import SwivelTestSupport
import Testing

/// B5: waits for a manual loop that no thread drives. None of them ends; debug builds report each.
@Suite(.enabled(if: Machine.isDebug, "release builds say nothing"))
struct ManualLoopWaitTests {
    /// Blocking calls for work of `loop`. The call of each is at its index, in `Wait.swift`.
    private static func waits(for loop: Loop) -> [@Sendable () -> Void] {
        let text: StaticString = "Wait.swift"
        @Sendable func job() -> Job<Int, Never> { Job { succeed, _ in succeed(1) } }
        return [
            { _ = loop.submit { 1 }.await(file: text, line: 0) },
            { _ = Async<Int>(loop) { 1 }.await(file: text, line: 1) },
            {
                _ = Async<Int>(on: loop) { 1 }.map(on: .background) { $0 }.await(
                    file: text, line: 2)
            },
            { _ = Async<Int>(value: 1).map(on: loop) { $0 }.await(file: text, line: 3) },
            { _ = Async<Int>(value: 1, after: .seconds(1), on: loop).await(file: text, line: 4) },
            { _ = Async<Int>(value: 1).delay(.seconds(1), on: loop).await(file: text, line: 5) },
            { _ = loop.submit(after: .seconds(1)) { 1 }.await(file: text, line: 6) },
            {
                let job = job()
                job.execute(on: loop)
                _ = try? job.future.await(file: text, line: 7)
            },
            {
                let job = loop.delay(.seconds(1)).map { 1 }
                job.execute()
                _ = try? job.future.await(file: text, line: 8)
            },
            { _ = AnyContext(loop).submit { 1 }.await(file: text, line: 9) },
            { _ = loop.inheritingTaskLocals.submit { 1 }.await(file: text, line: 10) },
            {
                let token = InvalidationToken()
                _ = token.context(loop).submit { 1 }.await(file: text, line: 11)
            },
            { _ = { @Sendable in 1 }~>>.on(loop).sync(file: text, line: 12) },
            { _ = try? Swivel.`await`(on: loop, { 1 }, file: text, line: 13) },
            { loop.each([1], { _ in }, file: text, line: 14) },
            { _ = try? loop.await(loop.submit { 1 }, file: text, line: 15) },
        ]
    }

    @Test func eachKindOfWaitForAManualLoopIsReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, errors) = (try Loop.manual(), Errors())
                let waits = Self.waits(for: loop)
                for wait in waits { _ = TestThread { wait() } }
                var missing = Set(waits.indices.map { "Wait.swift:\($0): Swivel: " })
                while !missing.isEmpty {
                    let text = errors.line()
                    require(
                        text.contains("work of Loop(swivel.manual), a manual loop, which"), text)
                    missing = missing.filter { !text.hasPrefix($0) }
                }
            }
        }
    }

    @Test func whateverTheThreadThatWaits() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, real, errors) = (try Loop.manual(), try Loop(), Errors())
                let contexts: [any ExecutionContext] = [
                    real, WorkerPool.shared, DispatchQueue(label: "test.waits"),
                ]
                for (line, context) in zip(UInt(1)..., contexts) {
                    context.execute {
                        loop.submit { 1 }.await(file: "Thread.swift", line: line)
                        fatalError("the wait has ended")
                    }
                    let text = errors.line()
                    require(
                        text.hasPrefix("Thread.swift:\(line): Swivel: await() has waited"), text)
                }
            }
        }
    }

    @Test func anOperatorThatWaitsForAManualLoopIsReported() async {
        await #expect(processExitsWith: .success) {
            try exitTest {
                let (loop, errors) = (try Loop.manual(), Errors())
                _ = TestThread {
                    let number: Int = <<~loop ~~~ { $0(1) }
                    print(number)
                }
                let text = errors.line()
                require(text.contains("has waited for a second for work of Loop(swivel"), text)
            }
        }
    }
}
