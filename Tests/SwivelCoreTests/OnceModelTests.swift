// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Random calls, cancels and waits against a dictionary that knows what must be pending. Calls on the
/// loop's own thread move a node, all others arm a new timer: the difference must not be visible.
@Suite(.offPool) struct OnceModelTests {
    @Test func randomCallsDoAsTheModelSays() throws {
        var random = Seeded()
        for _ in 0..<8 {
            var fixture = try OnceFixture(random.split())
            for step in 0..<Machine.scaled(5_000) {
                if let mistake = fixture.step() {
                    Issue.record("step \(step): \(mistake)")
                    return
                }
            }
            #expect(fixture.end() == nil)
        }
    }
}

/// An id that is nothing but its value, and all of whose values have one hash.
private struct CrowdedID: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(0) }
}

private struct OnceFixture {
    private struct Expected {
        let call: Int
        let deadline: UInt64
        let limit: UInt64?
    }

    private let loop: Loop
    private let probe = Probe()
    private let ran = Shared<[Int]>([])
    private var random: Seeded
    private var handles: [TimerHandle] = []
    private var pending: [Int: Expected] = [:]

    init(_ random: Seeded) throws {
        loop = try manualLoop()
        self.random = random
    }

    mutating func step() -> String? {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: call()
        case 6..<8: cancel()
        default: advance(by: UInt64.random(in: 0...30_000_000, using: &random))
        }
    }

    /// All that is pending has run, and nothing is left.
    mutating func end() -> String? {
        let mistake = advance(by: 3_600_000_000_000)
        return mistake ?? (probe.live == 0 ? nil : "\(probe.live) closures are left")
    }

    private mutating func call() -> String? {
        let (number, id) = (handles.count, Int.random(in: 0..<9, using: &random))
        let delay = UInt64.random(in: 1...40_000_000, using: &random)
        let wait =
            Bool.random(using: &random) ? UInt64.random(in: 1...60_000_000, using: &random) : nil
        let now = loop.now.nanoseconds
        let limit = wait.map { pending[id]?.limit ?? now + $0 }
        pending[id] = Expected(
            call: number, deadline: min(now + delay, limit ?? .max), limit: limit)
        let make: @Sendable () -> TimerHandle = { [loop, probe, ran] in
            let work = probe.work { ran.append(number) }
            let (delay, wait) = (Duration.nanoseconds(delay), wait.map { Duration.nanoseconds($0) })
            return switch id % 3 {
            case 0: loop.once("id \(id)", after: delay, maxWait: wait, work)
            case 1: loop.once(id, after: delay, maxWait: wait, work)
            default: loop.once(CrowdedID(number: id), after: delay, maxWait: wait, work)
            }
        }
        handles.append(Bool.random(using: &random) ? loop.inside(make) : make())
        return check()
    }

    private mutating func cancel() -> String? {
        guard !handles.isEmpty else { return nil }
        // Mostly one of the last, so that many are still pending.
        let back = Int.random(in: 1...min(handles.count, 12), using: &random)
        let (number, handle) = (handles.count - back, handles[handles.count - back])
        let id = pending.first { $0.value.call == number }?.key
        if let id { pending[id] = nil }
        let result =
            Bool.random(using: &random) ? loop.inside { handle.cancel() } : handle.cancel()
        guard result == (id == nil ? .finished : .cancelled) else {
            return "cancel of call \(number) said \(result)"
        }
        return check()
    }

    private mutating func advance(by nanoseconds: UInt64) -> String? {
        loop.advance(by: .nanoseconds(nanoseconds))
        let now = loop.now.nanoseconds
        let due = pending.filter { $0.value.deadline <= now }.sorted {
            ($0.value.deadline, $0.value.call) < ($1.value.deadline, $1.value.call)
        }
        for (id, _) in due { pending[id] = nil }
        let expected = due.map(\.value.call)
        guard ran.value == expected else { return "\(ran.value) ran, not \(expected)" }
        ran.value = []
        return check()
    }

    private func check() -> String? {
        guard probe.live == pending.count else {
            return "\(probe.live) closures are kept, \(pending.count) are pending"
        }
        let live = handles.suffix(200).indices.filter { handles[$0].isPending }
        let expected = pending.values.map(\.call).filter { $0 >= handles.count - 200 }.sorted()
        return live == expected ? nil : "calls \(live) are pending, not \(expected)"
    }
}
