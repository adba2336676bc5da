// SPDX-License-Identifier: Apache-2.0
import SwivelTestSupport
import Synchronization

/// A clock of a test's own, which no loop knows. Its time moves by ``advance(by:)``.
final class OwnClock: Clock {
    /// Not `Duration`: seconds as whole numbers, to see that no code expects more.
    struct Seconds: DurationProtocol {
        var count: Int

        static let zero = Seconds(count: 0)
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.count < rhs.count }
        static func + (lhs: Self, rhs: Self) -> Self { Seconds(count: lhs.count + rhs.count) }
        static func - (lhs: Self, rhs: Self) -> Self { Seconds(count: lhs.count - rhs.count) }
        static func / (lhs: Self, rhs: Int) -> Self { Seconds(count: lhs.count / rhs) }
        static func / (lhs: Self, rhs: Self) -> Double { Double(lhs.count) / Double(rhs.count) }
        static func * (lhs: Self, rhs: Int) -> Self { Seconds(count: lhs.count * rhs) }
    }

    struct Instant: InstantProtocol {
        var second: Int

        func advanced(by duration: Seconds) -> Self { Instant(second: second + duration.count) }
        func duration(to other: Self) -> Seconds { Seconds(count: other.second - second) }
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.second < rhs.second }
    }

    struct Broken: Error {}

    private struct State {
        var now = Instant(second: 0)
        var sleepers: [Int: (end: Instant, task: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var tolerances: [Seconds?] = []
    }

    private let state = Shared(State())
    private let numbers = Atomic(0)
    private let isBroken: Bool

    /// A clock at second 0. The sleeps on one that `isBroken` throw at once.
    init(isBroken: Bool = false) { self.isBroken = isBroken }

    var now: Instant { state.value.now }
    var minimumResolution: Seconds { Seconds(count: 1) }
    /// Sleeps that have not ended.
    var sleeping: Int { state.value.sleepers.count }
    /// The tolerances of all sleeps, in order.
    var tolerances: [Seconds?] { state.value.tolerances }

    func sleep(until deadline: Instant, tolerance: Seconds?) async throws {
        if isBroken { throw Broken() }
        let number = numbers.add(1, ordering: .relaxed).newValue
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { task in
                let result: Result<Void, any Error>? = state.update { state in
                    state.tolerances.append(tolerance)
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if state.now >= deadline { return .success(()) }
                    state.sleepers[number] = (deadline, task)
                    return nil
                }
                if let result { task.resume(with: result) }
            }
        } onCancel: {
            let task = state.update { state in
                state.cancelled.insert(number)
                return state.sleepers.removeValue(forKey: number)?.task
            }
            task?.resume(throwing: CancellationError())
        }
    }

    /// Moves the time, and wakes the sleeps whose instants have come.
    func advance(by seconds: Int) {
        let due = state.update { state in
            state.now.second += seconds
            let due = state.sleepers.filter { $0.value.end <= state.now }
            due.keys.forEach { state.sleepers[$0] = nil }
            return due.values.map(\.task)
        }
        due.forEach { $0.resume() }
    }
}
