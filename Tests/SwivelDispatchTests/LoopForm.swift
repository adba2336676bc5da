// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// A way to drive a loop. The same promises hold for all.
enum LoopForm: String, CaseIterable, Sendable {
    case ownThread, run, polled, polledByEpoll, attached, attachedToConcurrent, hosted, adopted

    /// Whether a wait in a closure pumps the loop.
    var pumps: Bool { self != .adopted }

    /// Whether its host sleeps on a descriptor that a shutdown from elsewhere closes: the host has to
    /// be told first.
    var sleepsOnDescriptor: Bool { self == .polled || self == .polledByEpoll }

    /// The forms that the machine has: where a descriptor does not tell the time, timers need more.
    static let here: [LoopForm] = {
        let hasTime = (try? Machine.hasTimerDescriptors()) ?? false
        return allCases.filter { hasTime || [.ownThread, .run, .hosted].contains($0) }
    }()

    /// Runs `body` next to a loop of this form, on another thread than the loop's, and shuts it down.
    func with(_ body: (Loop) throws -> Void) throws {
        let driven = try make()
        defer { driven.end() }
        try body(driven.loop)
    }

    private struct Driven {
        let loop: Loop
        let end: () -> Void
    }

    private func make() throws -> Driven {
        switch self {
        case .ownThread:
            let loop = try Loop()
            return Driven(loop: loop) { loop.shutdown() }
        case .run:
            let loop = try Loop.embedded()
            let thread = TestThread { loop.run() }
            return Driven(loop: loop) {
                loop.stop()
                thread.join()
                loop.shutdown()
            }
        case .polled, .polledByEpoll:
            let loop = try Loop.embedded()
            let host = PollingHost(loop, byEpoll: self == .polledByEpoll)
            return Driven(loop: loop) {
                host.end()
                loop.shutdown()
            }
        case .attached, .attachedToConcurrent:
            let loop = try Loop.embedded()
            let isSerial = self == .attached
            loop.attach(
                to: DispatchQueue(label: "form", attributes: isSerial ? [] : .concurrent))
            return Driven(loop: loop) { loop.shutdown() }
        case .adopted:
            let host = AdoptingHost()
            let loop = try host.begin()
            return Driven(loop: loop) {
                loop.shutdown()
                host.end()
            }
        case .hosted:
            let host = QueueingHost()
            let loop = try Loop.hosted(by: host)
            host.begin(loop)
            return Driven(loop: loop) {
                host.end()
                loop.shutdown()
            }
        }
    }
}

/// A thread that waits for the loop's descriptor, by poll(2) or epoll(7).
private final class PollingHost: Sendable {
    private let isOver = Shared(false)
    private let loop: Loop
    private let thread: TestThread

    init(_ loop: Loop, byEpoll: Bool) {
        self.loop = loop
        thread = TestThread { [isOver] in
            let descriptor = loop.fileDescriptor
            let set = byEpoll ? swivel_host_epoll(descriptor) : -1
            defer { swivel_host_epoll_close(set) }
            // A loop that has closed has no descriptor any more.
            while !isOver.value && loop.fileDescriptor >= 0 {
                set < 0 ? Self.poll(descriptor) : swivel_host_epoll_wait(set)
                loop.runOnce(.noWait)
            }
        }
    }

    private static func poll(_ descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        waitForAny(&entry)
    }

    func end() {
        loop.execute { [isOver] in isOver.value = true }
        thread.join()
    }
}

/// A loop of tasks with a clock, as many programs have: it knows nothing of descriptors.
private final class QueueingHost: LoopHost {
    private struct State {
        var deadline = LoopClock.Instant.never
        var isOver = false
    }
    private let state = Shared(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let thread = Shared<TestThread?>(nil)

    func wake() { wakeUp.signal() }

    func wake(at deadline: LoopClock.Instant) {
        state.update { $0.deadline = deadline }
    }

    func begin(_ loop: Loop) {
        let (state, wakeUp) = (state, wakeUp)
        thread.value = TestThread { [weak loop] in
            while !state.value.isOver {
                let left = LoopClock.Instant.now.duration(to: state.value.deadline)
                let limit = min(max(left, .zero), .seconds(60))
                let nanoseconds = Int(limit / .nanoseconds(1)) + 1
                _ = wakeUp.wait(timeout: .now() + .nanoseconds(nanoseconds))
                state.update { $0.deadline = .never }
                loop?.runOnce(.noWait)
            }
        }
    }

    func end() {
        state.update { $0.isOver = true }
        wakeUp.signal()
        thread.value?.join()
    }
}

/// A thread with a libuv loop, which ends when nothing is left in it.
private final class AdoptingHost: Sendable {
    private final class Cradle: Sendable {
        let loop = Shared<Result<Loop, any Error>?>(nil)
        let gate = Gate()
    }
    private let host = Shared<OpaquePointer?>(nil)

    func begin() throws -> Loop {
        let cradle = Cradle()
        let argument = Unmanaged.passRetained(cradle).toOpaque()
        host.value = swivel_host_uv_start(
            { argument, loop in
                guard let argument, let loop else { return }
                let cradle = Unmanaged<Cradle>.fromOpaque(argument).takeRetainedValue()
                cradle.loop.value = Result { try Loop(adopting: loop) }
                cradle.gate.open()
            }, argument)
        cradle.gate.wait()
        defer { cradle.loop.value = nil }
        // swift-format-ignore: NeverForceUnwrap
        return try cradle.loop.value!.get()  // because the gate is open
    }

    /// The host's loop has ended by itself and is closed.
    func end() { #expect(swivel_host_uv_join(host.value) == 0) }
}

private func waitForAny(_ entry: inout pollfd) { poll(&entry, 1, -1) }
