// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelTestSupport
import SwivelTesting
import Testing

/// V1 next to other code that takes the runtime's hook, such as `withMainSerialExecutor` of
/// swift-concurrency-extras. Each test has a process of its own.
@Suite struct JobHookTests {
    /// The hook is held while a manual loop is open, and no longer.
    @Test func theHookIsHeldWhileAManualLoopIsOpen() async {
        await #expect(processExitsWith: .success) {
            try await suspendingExitTest {
                require(RuntimeHook.isEmpty, "the hook is taken before there is a manual loop")
                let first = try Loop.manual()
                require(!RuntimeHook.isEmpty, "the hook is not taken")
                let second = try Loop.manual()
                await first.shutdown()
                require(!RuntimeHook.isEmpty, "the hook is let go while a loop is open")
                await second.shutdown()
                await second.shutdown()
                require(RuntimeHook.isEmpty, "the hook is kept")
                // One that is dropped, and one that closes itself.
                drop(try Loop.manual())
                require(RuntimeHook.isEmpty, "the hook is kept for a loop that is gone")
                let third = try Loop.manual()
                third.execute { third.shutdown() }
                await third.advance(by: .seconds(1))
                require(RuntimeHook.isEmpty, "the hook is kept for a loop that has closed")
                require(await isExact(), "time passes over a task")
            }
        }
    }

    /// The value that was there before comes back.
    @Test func theFormerHookComesBack() async {
        await #expect(processExitsWith: .success) {
            try await suspendingExitTest {
                RuntimeHook.takeForMain()
                let former = RuntimeHook.bits
                let loop = try Loop.manual()
                require(RuntimeHook.bits != former, "the hook is not taken")
                await loop.shutdown()
                require(RuntimeHook.bits == former, "the former hook has not come back")
            }
        }
    }

    /// A manual loop inside of the other library's scope, and one after it.
    @Test(arguments: [true, false])
    func timeIsExactInsideOfTheScope(restores: Bool) async {
        await #expect(processExitsWith: .success) { [restores] in
            await suspendingExitTest {
                await withMainSerial(restoring: restores) {
                    for _ in 0..<4 { require(await isExact(), "time passes over a task") }
                }
                require(RuntimeHook.isEmpty, "the other library has found a hook")
                for _ in 0..<4 { require(await isExact(), "time passes over a task later") }
                await withMainSerial(restoring: restores) {
                    require(await isExact(), "time passes over a task in the second scope")
                }
                require(RuntimeHook.isEmpty, "the other library has found a hook")
            }
        }
    }

    /// The scope inside of a manual loop's life: the advance reports it, once, in every build.
    @Test(arguments: [true, false])
    func aDisplacedHookIsReportedOnce(restores: Bool) async {
        let result = await #expect(
            processExitsWith: .success, observing: standardError
        ) { [restores] in
            try await suspendingExitTest {
                let loop = try Loop.manual()
                await loop.advance(by: .seconds(1))
                await withMainSerial(restoring: restores) {
                    for _ in 0..<3 { await loop.advance(by: .seconds(1)) }
                    require(loop.elapsedTime == .seconds(4), "time did not go on")
                    // A loop that is made inside takes the hook again.
                    require(await isExact(), "time passes over a task")
                }
                await loop.shutdown()
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.components("has taken the Swift runtime's hook").count == 2, "\(text)")
    }

    /// Once the other library has given it back, time is exact again.
    @Test func aHookThatWasGivenBackServesAgain() async {
        await #expect(processExitsWith: .success) {
            try await suspendingExitTest {
                let loop = try Loop.manual()
                await withMainSerial(restoring: true) {}
                for _ in 0..<4 { require(await isExact(loop), "time passes over a task") }
                await loop.shutdown()
                require(RuntimeHook.isEmpty, "the hook is kept")
            }
        }
    }
}

/// The variable of the runtime through which others see jobs.
private enum RuntimeHook {
    typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    static var variable: UnsafeMutablePointer<Hook?> {
        #if canImport(Darwin)
        let program = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let program: UnsafeMutableRawPointer? = nil
        #endif
        // swift-format-ignore: NeverForceUnwrap
        return dlsym(program, "swift_task_enqueueGlobal_hook")!.assumingMemoryBound(to: Hook?.self)
    }

    static var bits: UInt { unsafeBitCast(variable.pointee, to: UInt.self) }
    static var isEmpty: Bool { bits == 0 }

    static func takeForMain() {
        variable.pointee = { job, _ in MainActor.shared.enqueue(job) }
    }
}

/// As `withMainSerialExecutor` does: it knows only whether a hook was there (`restoring` is false), or
/// keeps the one that it found.
private func withMainSerial(restoring: Bool, _ body: () async throws -> Void) async {
    let former = RuntimeHook.variable.pointee
    let hadOne = former != nil
    RuntimeHook.takeForMain()
    try? await body()
    RuntimeHook.variable.pointee = former
    if !restoring, hadOne { RuntimeHook.takeForMain() }
}

/// Whether an advance of a loop waits for a task that takes many steps at each instant.
private func isExact(_ given: Loop? = nil) async -> Bool {
    guard let loop = try? given ?? Loop.manual() else { return false }
    let start = loop.now
    let instants = Shared<[Duration]>()
    let task = Task {
        for _ in 0..<5 {
            try await loop.clock.sleep(for: .seconds(1))
            for _ in 0..<5 { await Task.detached { await Task.yield() }.value }
            instants.append(start.duration(to: loop.now))
        }
    }
    try? await loop.waitForPending()
    await loop.advance(by: .seconds(5))
    let seen = instants.value
    task.cancel()
    _ = await task.result
    if given == nil { await loop.shutdown() }
    return seen == (1...5).map { .seconds($0) }
}

private func drop(_ loop: consuming Loop) {}

extension String {
    fileprivate func components(_ separator: String) -> [Substring] {
        var (parts, rest) = ([Substring](), self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
