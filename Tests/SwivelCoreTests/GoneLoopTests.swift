// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// An actor that does not keep its loop: once that is gone, its jobs trap. They never run on another
/// loop that has the memory, or the record, of the first.
@Suite struct GoneLoopTests {
    private static let message =
        "a job of a loop that is gone: an actor must retain the loop that it lives on"

    @Test func withoutAnotherLoopItsJobsTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try await suspendingExitTest { await visit(try orphan(manual: false)) }
        }
        #expect(printed(Self.message, result))
    }

    /// The loops that are made next get the memory and the record.
    @Test func anotherLoopDoesNotRunThem() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try await suspendingExitTest {
                let actor = try orphan(manual: false)
                let loops = try (0..<8).map { _ in try Loop() }
                await visit(actor)
                withExtendedLifetime(loops) {}
            }
        }
        #expect(printed(Self.message, result))
    }

    /// Nor one that is not driven, and whose queue would not be served.
    @Test func aManualLoopDoesNotKeepThem() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try await suspendingExitTest {
                let actor = try orphan(manual: true)
                let loops = try (0..<8).map { _ in try Loop.manual() }
                await visit(actor)
                withExtendedLifetime(loops) {}
            }
        }
        #expect(printed(Self.message, result))
    }

    /// A loop that is shut down and not gone runs late jobs, on the pool.
    @Test func aLoopThatIsShutDownIsNotGone() async throws {
        let loop = try Loop()
        let actor = Orphan(loop)
        #expect(await actor.visit())
        await loop.shutdown()
        let others = try (0..<4).map { _ in try Loop() }
        #expect(await !actor.visit())
        for other in others { await other.shutdown() }
        withExtendedLifetime(loop) {}
    }

    /// Loops come and go, and each has its own actors.
    @Test func recordsAreUsedAgain() async throws {
        for _ in 0..<20 {
            let loop = try Loop()
            let actor = Orphan(loop)
            #expect(await actor.visit())
            #expect(await Orphan(loop).visit())
            await loop.shutdown()
        }
    }
}

/// An actor with the bare executor of a loop.
private actor Orphan {
    private let executor: UnownedSerialExecutor

    init(_ loop: Loop) { executor = loop.serialExecutor.asUnownedSerialExecutor() }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

    func visit() -> Bool { Loop.current != nil }
}

private func orphan(manual: Bool) throws -> Orphan {
    let loop = manual ? try Loop.manual() : try Loop()
    let actor = Orphan(loop)
    loop.shutdown()
    return actor
}

private func visit(_ actor: Orphan) async { _ = await actor.visit() }
