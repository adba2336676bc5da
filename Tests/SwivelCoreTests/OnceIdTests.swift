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

    private struct Padded: ExecutionContext {
        let isUrgent: Bool
        let queue: QueueContext

        func execute(_ work: @escaping @Sendable () -> Void) { queue.execute(work) }
        var isCurrent: Bool { queue.isCurrent }
    }

    /// The bytes between the fields of a context are no part of it.
    @Test func aContextWithPaddingIsOneContext() {
        let queue = QueueContext()
        func identity(amid garbage: UInt8) -> ContextIdentity {
            let context = UnsafeMutablePointer<Padded>.allocate(capacity: 1)
            defer { context.deallocate() }
            UnsafeMutableRawPointer(context).initializeMemory(
                as: UInt8.self, repeating: garbage, count: MemoryLayout<Padded>.size)
            let value = Padded(isUrgent: true, queue: queue)
            withUnsafePointer(to: value) { context.initialize(from: $0, count: 1) }
            defer { context.deinitialize(count: 1) }
            return ContextIdentity(context.pointee)
        }
        #expect(identity(amid: 0x55) == identity(amid: 0xAA))
    }
}
