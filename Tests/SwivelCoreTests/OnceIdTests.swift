// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// The id of a `once` operation: any hashable value, with its type.
@Suite(.offPool) struct OnceIdTests {
    private let probe = Probe()

    /// How many of these ids are different to `once`.
    private func distinct(_ calls: [@Sendable (Loop, @escaping @Sendable () -> Void) -> Void])
        throws
        -> Int
    {
        let loop = try manualLoop()
        let ran = probe.ran
        for call in calls {
            call(loop, probe.work())
        }
        loop.advance(by: .seconds(1))
        return probe.ran - ran
    }

    private struct Private: Hashable { var value: Int }
    private struct Collides: Hashable {
        var value: Int
        func hash(into hasher: inout Hasher) { hasher.combine(1) }
    }

    /// Values of different types are different ids, though they compare equal as `AnyHashable`.
    @Test func equalValuesOfDifferentTypesAreDifferentIds() throws {
        #expect(
            try distinct([
                { $0.once(1, after: .milliseconds(1), $1) },
                { $0.once(1.0, after: .milliseconds(1), $1) },
                { $0.once(UInt8(1), after: .milliseconds(1), $1) },
                { $0.once("1", after: .milliseconds(1), $1) },
                { $0.once(Substring("1"), after: .milliseconds(1), $1) },
                { $0.once(Character("1"), after: .milliseconds(1), $1) },
                { $0.once([1], after: .milliseconds(1), $1) },
                { $0.once(Private(value: 1), after: .milliseconds(1), $1) },
                { $0.once(Int?(1), after: .milliseconds(1), $1) },
            ]) == 9)
    }

    /// Strings that are equal in Swift are one id, whatever their bytes: é composed and decomposed.
    @Test func stringsEqualInSwiftAreOneId() throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        #expect(Array(composed.utf8) != Array(decomposed.utf8))
        #expect(
            try distinct([
                { $0.once(composed, after: .milliseconds(1), $1) },
                { $0.once(decomposed, after: .milliseconds(1), $1) },
            ]) == 1)
    }

    /// The empty string, NUL bytes, a megabyte.
    @Test func unusualStringsAreIds() throws {
        let long = String(repeating: "x", count: 1 << 20)
        #expect(
            try distinct([
                { $0.once("", after: .milliseconds(1), $1) },
                { $0.once("\0", after: .milliseconds(1), $1) },
                { $0.once("\0\0", after: .milliseconds(1), $1) },
                { $0.once(long, after: .milliseconds(1), $1) },
                { $0.once(long + "y", after: .milliseconds(1), $1) },
                { $0.once(long, after: .milliseconds(1), $1) },
            ]) == 5)
    }

    /// Ids whose hashes are all equal are told apart.
    @Test func idsOfOneHashAreToldApart() throws {
        let loop = try manualLoop()
        let runs = Shared<[Int]>()
        for round in 0..<3 {
            for value in 0..<100 {
                loop.once(
                    Collides(value: value), after: .milliseconds(1),
                    probe.work { runs.append(value + 1_000 * round) })
            }
        }
        loop.advance(by: .milliseconds(1))
        #expect(runs.value.sorted() == Array(2_000..<2_100))
        #expect(probe.released == 300)
    }

    /// Ids whose hashes are all equal are cancelled, called again and run in any order.
    @Test func idsOfOneHashEndInAnyOrder() throws {
        var random = Seeded()
        for _ in 0..<20 {
            let loop = try manualLoop()
            let runs = Shared<[Int]>()
            func call(_ value: Int) -> TimerHandle {
                loop.once(
                    Collides(value: value),
                    after: .milliseconds(Int.random(in: 1...9, using: &random)),
                    probe.work { runs.append(value) })
            }
            let handles = (0..<60).map { call($0) }
            let order = handles.indices.shuffled(using: &random)
            order[..<20].forEach { handles[$0].cancel() }
            order[10..<30].forEach { _ = call($0) }
            loop.advance(by: .milliseconds(9))
            #expect(runs.value.sorted() == order[10...].sorted())
            #expect(probe.live == 0)
        }
    }

    /// An id that is over is let go: run, cancelled, or its loop shut down.
    @Test func idsAreReleasedWhenTheyAreOver() throws {
        let loop = try manualLoop()
        for number in 0..<30 {
            let id = CountedID(number: number, token: probe.token())
            let handle = loop.once(id, after: .milliseconds(1)) {}
            if number % 3 == 0 { handle.cancel() }
            if number % 3 == 1 {
                loop.once(CountedID(number: number, token: probe.token()), after: .hours(1)) {}
                    .cancel()
            }
        }
        loop.advance(by: .milliseconds(1))
        #expect(probe.live == 0, "run and cancelled")
        for number in 0..<30 {
            loop.once(CountedID(number: number, token: probe.token()), after: .hours(1)) {}
        }
        loop.settle()
        #expect(probe.live == 30)
        loop.shutdown()
        #expect(probe.live == 0, "shut down")
        loop.once(CountedID(number: 1, token: probe.token()), after: .hours(1)) {}
        #expect(probe.live == 0, "refused")
    }

    #if os(Linux)
    /// A million pending ids, at most 400 bytes each; each runs once, and the memory comes back.
    @Test func aMillionIdsArePending() throws {
        let count = Machine.scaled(1_000_000, by: 20)
        let loop = try manualLoop()
        let runs = Counter()
        let before = Machine.privateBytes()
        for id in 0..<count {
            loop.once(id, after: .milliseconds(1 + id % 50)) { runs.add() }
        }
        loop.settle()
        let growth = Machine.privateBytes() - before
        #expect(loop.metrics.pending == count)
        if !Machine.isSanitized {
            #expect(growth / count <= 400, "bytes an id")
        }
        loop.advance(by: .milliseconds(60))
        #expect(runs.value == count)
        #expect(loop.metrics.pending == 0)
    }
    #endif

    /// A thousand ids called over and over: each runs once a round, and its last call wins.
    @Test func aThousandIdsAreCalledOverAndOver() throws {
        let rounds = Machine.scaled(200, by: 10)
        let loop = try manualLoop()
        let seen = Shared([Int](repeating: 0, count: 1_000))
        for round in 1...rounds {
            for id in 0..<1_000 {
                loop.once(Private(value: id), after: .milliseconds(5)) {
                    seen.update { $0[id] += round }
                }
            }
            loop.settle()
            #expect(loop.metrics.pending == 1_000)
        }
        loop.advance(by: .milliseconds(5))
        #expect(seen.value.allSatisfy { $0 == rounds })
    }
}

/// An id whose end is counted.
private struct CountedID: Hashable, Sendable {
    let number: Int
    let token: Probe.Token

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
