// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// One descriptor is readable when a foreign loop has something to do.
@Suite(.offPool) struct FileDescriptorTests {
    private let probe = Probe()

    /// Whether the loop's descriptor becomes readable within this many milliseconds.
    private func isReadable(_ loop: Loop, within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: loop.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    /// Runs turns as long as the descriptor says so.
    private func serve(_ loop: Loop, sourceLocation: SourceLocation = #_sourceLocation) {
        var turns = 0
        while isReadable(loop) {
            loop.runOnce(.noWait)
            turns += 1
            if turns > 100 {
                Issue.record("it stays readable: a spin", sourceLocation: sourceLocation)
                return
            }
        }
    }

    /// Before its first turn, after turns, and from other threads: a post makes it readable.
    @Test func aPostMakesItReadable() throws {
        let loop = try Loop.embedded()
        serve(loop)
        #expect(!isReadable(loop))
        for round in 1...50 {
            if round % 2 == 0 {
                loop.execute(probe.work())
            } else {
                TestThread { [probe] in loop.execute(probe.work()) }.join()
            }
            #expect(isReadable(loop))
            serve(loop)
            #expect(probe.ran == round)
            #expect(!isReadable(loop))
        }
    }

    /// A timer makes it readable when it is due, not before its deadline, on any thread.
    @Test(arguments: [true, false])
    func aTimerMakesItReadable(elsewhere: Bool) throws {
        let loop = try Loop.embedded()
        guard try Machine.hasTimerDescriptors() else { return }
        for round in 1...10 {
            let arm: @Sendable () -> Void = { [probe] in
                loop.schedule(after: .milliseconds(2), probe.work())
            }
            elsewhere ? TestThread(arm).join() : arm()
            #expect(isReadable(loop, within: 0), "the deadline has to be set")
            serve(loop)
            while probe.ran < round {
                guard isReadable(loop, within: 10_000) else {
                    Issue.record("not readable, though a timer is due")
                    return
                }
                loop.runOnce(.noWait)
            }
            serve(loop)
            #expect(!isReadable(loop))
        }
    }

    /// A cancelled timer leaves one expiry at most (S5).
    @Test func aCancelledTimerLeavesOneExpiryAtMost() throws {
        let loop = try Loop.embedded()
        guard try Machine.hasTimerDescriptors() else { return }
        loop.schedule(after: .milliseconds(1), probe.work()).cancel()
        let handle = loop.schedule(after: .milliseconds(2), probe.work())
        serve(loop)
        handle.cancel()
        var wakes = 0
        while isReadable(loop, within: 20) {
            loop.runOnce(.noWait)
            wakes += 1
            try #require(wakes < 5)
        }
        #expect(wakes <= 2)
        #expect(probe.ran == 0)
    }

    /// S6: the message is the system's own, and names no culprit.
    @Test func aFailingSystemCallIsReportedWithItsOwnError() async throws {
        guard try Machine.hasTimerDescriptors() else { return }
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                // Not closed: libdispatch might get the number for a timer of its own.
                let (before, other) = (Self.timers(), open("/dev/null", O_RDONLY))
                let loop = try Loop.embedded(.init(name: "test.fails"))
                for number in Self.timers() where !before.contains(number) { dup2(other, number) }
                loop.schedule(after: .milliseconds(10)) {}
                loop.runOnce(.wait)
            }
        }
        #expect(printed("the loop 'test.fails' cannot go on: timerfd_settime: Invalid arg", result))
    }

    private static func timers() -> [Int32] {
        let files = FileManager.default
        return (3..<64).filter {
            let link = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return link?.contains("timerfd") == true
        }
    }
}
#endif
