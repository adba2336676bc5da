// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import ServiceLifecycle
import SwivelCore
import Testing
import UnixSignals

/// A service that says when it runs, and ends with its group.
private struct Waiting: Service {
    let hasBegun: Kept<Bool>

    func run() async throws {
        hasBegun.add(true)
        try await gracefulShutdown()
    }
}

/// The address of the handler of SIGTERM.
private func handler() -> UInt {
    var found = sigaction()
    sigaction(SIGTERM, nil, &found)
    return withUnsafeBytes(of: &found) { $0.load(as: UInt.self) }
}

/// The signal reaches the group and the loop, of which one was first.
private func terminateBoth(groupFirst: Bool) async throws {
    let loop = try Loop(.init(name: "io"))
    let (received, hasBegun) = (Kept<Signal>(), Kept<Bool>())
    var own: UInt = 0
    func watch() {
        let watch = loop.signals([.terminate]) { received.add($0) }
        precondition(watch.isActive, "\(String(describing: watch.error))")
        own = handler()
    }
    if !groupFirst { watch() }
    let group = ServiceGroup(
        services: [Waiting(hasBegun: hasBegun)], gracefulShutdownSignals: [.sigterm],
        logger: quiet())
    let running = Task { try await group.run() }
    while hasBegun.all.isEmpty { await Task.yield() }
    if groupFirst {
        watch()
    } else {
        // The group's source may be on its way: the loop takes turns until both are there.
        let turns = loop.schedule(every: .milliseconds(5)) {}
        for _ in 0..<100 where handler() == own {
            try await loop.clock.sleep(for: .milliseconds(5))
        }
        while handler() != own { try await loop.clock.sleep(for: .milliseconds(5)) }
        turns.cancel()
    }
    kill(getpid(), SIGTERM)
    try await running.value
    while received.all.isEmpty { await Task.yield() }
    // And once more, without the group.
    let before = received.all.count
    kill(getpid(), SIGTERM)
    while received.all.count == before { await Task.yield() }
    await loop.shutdown()
}

/// In processes of their own: a signal is for the whole process.
@Suite struct SignalsBesideServiceGroupTests {
    @Test func aLoopReceivesASignalThatAGroupBeforeItUses() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await terminateBoth(groupFirst: true)
        }
    }

    @Test func aLoopReceivesASignalThatAGroupAfterItUses() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            try await terminateBoth(groupFirst: false)
        }
    }
}
