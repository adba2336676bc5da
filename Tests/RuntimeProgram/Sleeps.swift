// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CSwivelTestSupport
import SwivelCore
import SwivelRuntime

/// R1: after a round that warms the allocator up, three more leave less than 16 bytes a sleep.
func cancelledSleepsLeaveNothing() async {
    let (count, rounds) = (scaled(100_000), 3)
    await sleepAndCancel(count)
    let (allocated, resident) = (swivel_process_allocated_bytes(), swivel_process_private_kb())
    for _ in 0..<rounds { await sleepAndCancel(count) }
    let left = Int(swivel_process_allocated_bytes()) - Int(allocated)
    let grown = (Int(swivel_process_private_kb()) - Int(resident)) * 1024
    let metrics = SwivelRuntime.metrics
    print("\(rounds * count) cancelled sleeps left \(left) bytes, pages: \(grown); \(metrics)")
    let bound = 16 * rounds * count
    require(left < bound, "they have left \(left) bytes")
    require(grown < bound || isSanitized, "the process has grown by \(grown) bytes")
    require(metrics.cancelledEarly >= (rounds + 1) * count - 32, "\(metrics)")
}

private func sleepAndCancel(_ count: Int) async {
    let before = SwivelRuntime.metrics.sleepsPending
    let tasks = (0..<count).map { _ in
        Task.detached { (try? await Task.sleep(for: hour)) == nil }
    }
    await until { SwivelRuntime.metrics.sleepsPending >= before + count }
    for task in tasks { task.cancel() }
    for task in tasks { require(await task.value, "a sleep has ended an hour early") }
    require(SwivelRuntime.metrics.sleepsPending <= 32, "\(SwivelRuntime.metrics)")
}

/// R1: cancels that come while the sleep is about to begin leave less than 16 bytes a sleep too.
func cancelsAtTheBeginningOfSleeps() async {
    let count = scaled(100_000)
    // The first ones start threads, and a loop.
    await cancelAtTheBeginning(count / 10)
    let resident = Int(swivel_process_private_kb())
    await cancelAtTheBeginning(count)
    let metrics = SwivelRuntime.metrics
    let grown = (Int(swivel_process_private_kb()) - resident) * 1024
    print("\(count) cancelled sleeps left pages: \(grown); \(metrics)")
    // Some are noticed when another task has the memory, and how many wait for that is up to the
    // allocator.
    require(grown < 16 * count || isSanitized, "the process has grown by \(grown) bytes")
    // Each keeps some 740 bytes. AddressSanitizer gives no memory to another task.
    require(metrics.sleepsPending < count / 50 || swivel_is_under_asan(), "\(metrics)")
    require(metrics.cancelledEarly > 0, "\(metrics)")
}

private func cancelAtTheBeginning(_ count: Int) async {
    for number in 0..<count {
        let sleeper = Task.detached { try? await Task.sleep(for: hour) }
        switch number % 5 {
        case 3, 4: compute(until: .now + .nanoseconds(50 * (number % 97)))
        case let yields: for _ in 0..<yields { await Task.yield() }
        }
        sleeper.cancel()
        await sleeper.value
    }
}

private actor Napper {
    func nap(_ duration: Duration) async -> Bool {
        (try? await Task.sleep(for: duration)) != nil
    }
}

@MainActor private func napOnTheMainActor(_ duration: Duration) async -> Bool {
    (try? await Task.sleep(for: duration)) != nil
}

func sleepsInAnActor() async {
    let actor = Napper()
    await nap { duration in await actor.nap(duration) }
}

func sleepsOnTheMainActor() async { await nap { duration in await napOnTheMainActor(duration) } }

/// Rounds of sleeps that are cancelled an hour before their end, and of some that end.
private func nap(_ nap: @escaping @Sendable (Duration) async -> Bool) async {
    let width = 64
    for round in 0..<scaled(200) {
        let cancelled = (0..<width).map { _ in Task.detached { await nap(hour) } }
        let ending = (0..<8).map { number in
            Task.detached {
                let (start, duration) = (ContinuousClock.now, Duration.microseconds(300 * number))
                let hasSlept = await nap(duration)
                return hasSlept && start.duration(to: .now) >= duration
            }
        }
        // Some rounds cancel at the beginning of the sleeps, and some later.
        for _ in 0..<(round % 20) { await Task.yield() }
        if round % 4 == 0 { try? await Task.sleep(for: .milliseconds(2)) }
        for task in cancelled { task.cancel() }
        for task in cancelled { require(!(await task.value), "an hour's sleep has ended") }
        for task in ending { require(await task.value, "a sleep was early, or lost") }
    }
    let metrics = SwivelRuntime.metrics
    print("\(metrics)")
    // A cancel in an actor may stay unnoticed, but only until another task has the same memory.
    require(metrics.sleepsPending <= 2 * (width + 8), "\(metrics)")
}
#endif
