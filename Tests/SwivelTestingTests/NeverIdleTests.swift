// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// Work that never ends at one instant: `runUntilIdle()` throws, in both of its forms.
@Suite(.serialized) struct NeverIdleTests {
    /// The way in which work makes more work for the same instant.
    enum Circle: String, CaseIterable, CustomTestStringConvertible {
        case post, reusable, task, detachedTask, actor
        var testDescription: String { rawValue }

        /// Whether the synchronous form sees all of it.
        var isTheLoopsOwn: Bool { [.post, .reusable].contains(self) }
    }

    @Test(arguments: Circle.allCases)
    func endlessWorkAtOneInstantIsNeverIdle(circle: Circle) async throws {
        let loop = try Loop.manual(patience: .seconds(60))
        let isOver = Shared(false)
        let go = Self.start(circle, on: loop, isOver)
        go()
        let error = await #expect(throws: NeverIdle.self) { try await loop.runUntilIdle() }
        isOver.value = true
        #expect(error?.description.contains("is not idle") == true)
        #expect(loop.elapsedTime == .zero)
        await loop.advance(by: .zero)
        await loop.shutdown()
    }

    @Test(arguments: Circle.allCases.filter(\.isTheLoopsOwn))
    func theSynchronousFormDoesTheSame(circle: Circle) async throws {
        let loop = try Loop.manual()
        let isOver = Shared(false)
        let go = Self.start(circle, on: loop, isOver)
        go()
        let error = run(loop)
        isOver.value = true
        #expect(error != nil)
        await loop.advance(by: .zero)
        await loop.shutdown()
    }

    /// A circle that a slow task is part of, and that the loop's patience ends.
    @Test func aSlowCircleIsNeverIdle() async throws {
        let loop = try Loop.manual(patience: .milliseconds(700))
        let isOver = Shared(false)
        for _ in 0..<4 {
            loop.execute {
                Task.detached {
                    while !isOver.value {
                        await withCheckedContinuation { done in loop.execute { done.resume() } }
                        slow()
                    }
                }
            }
        }
        await #expect(throws: NeverIdle.self) { try await loop.runUntilIdle() }
        isOver.value = true
        await loop.advance(by: .zero)
        await loop.shutdown()
    }

    /// A task that only computes for longer than the loop's patience is no circle.
    @Test func aTaskThatComputesIsNoCircle() async throws {
        let loop = try Loop.manual(patience: .milliseconds(50))
        let isOver = Shared(false)
        loop.execute { Task.detached { while !isOver.value {} } }
        loop.schedule(after: .seconds(1)) {}
        #expect(try await loop.runUntilIdle() == .seconds(1))
        isOver.value = true
        await loop.shutdown()
    }

    private static func start(
        _ circle: Circle, on loop: Loop, _ isOver: Shared<Bool>
    ) -> @Sendable () -> Void {
        let again = Shared<(@Sendable () -> Void)?>(nil)
        let next: @Sendable () -> Void = {
            if isOver.value { again.value = nil } else { again.value?() }
        }
        again.value =
            switch circle {
            case .post: { loop.execute { next() } }
            case .reusable: reusable(loop, next) { $0.arm(after: .zero) }
            case .task: { loop.schedule(after: .zero) { Task { next() } } }
            case .detachedTask: { loop.execute { Task.detached { next() } } }
            case .actor: { loop.execute { Task { @Hall in next() } } }
            }
        return next
    }

    private static func reusable(
        _ loop: Loop, _ next: @escaping @Sendable () -> Void,
        _ arm: @escaping @Sendable (LoopTimer) -> Void
    ) -> @Sendable () -> Void {
        let timer = LoopTimer(on: loop) { next() }
        return { arm(timer) }
    }
}

@globalActor private actor Hall {
    static let shared = Hall()
}

private func slow() {
    let ends = ContinuousClock.now + .milliseconds(1)
    while ContinuousClock.now < ends {}
}

/// In a function without `async`, so that it is the synchronous form.
private func run(_ loop: Loop) -> NeverIdle? {
    do {
        try loop.runUntilIdle()
        return nil
    } catch { return error }
}
