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

    #if os(Linux)
    #endif
}
