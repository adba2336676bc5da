// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelTestSupport
import Testing

/// Settings of a loop, and what is refused.
@Suite(.offPool) struct ConfigurationTests {
    private let probe = Probe()

    private static let broken: [Loop.Configuration] = [
        Loop.Configuration(cpu: -1), Loop.Configuration(cpu: .min), Loop.Configuration(cpu: .max),
        Loop.Configuration(cpu: Int(Int32.max)), Loop.Configuration(timerSlack: .nanoseconds(-1)),
        Loop.Configuration(turnBudget: .init(count: 0)),
        Loop.Configuration(turnBudget: .init(count: -1)),
        Loop.Configuration(turnBudget: .init(count: .max)),
        Loop.Configuration(turnBudget: .init(time: .zero)),
        Loop.Configuration(turnBudget: .init(time: .seconds(-1))),
        Loop.Configuration(busyPoll: .nanoseconds(-1)), Loop.Configuration(maxPendingPosts: 0),
        Loop.Configuration(maxPendingPosts: -1), Loop.Configuration(maxPendingPosts: .min),
    ]

    /// A value out of range throws, for every kind of loop; it is never taken for a default.
    @Test(arguments: broken)
    func aValueOutOfRangeThrows(configuration: Loop.Configuration) {
        for make in [{ try Loop($0) }, { try Loop.embedded($0) }, { try Loop.manual($0) }]
            as [(Loop.Configuration) throws -> Loop]
        {
            let error = #expect(throws: SwivelError.self) { _ = try make(configuration) }
            #expect(error?.code == .invalidConfiguration)
            let message = "\(error?.message ?? "")"
            #expect(
                ["cpu", "timerSlack", "turnBudget", "busyPoll", "maxPendingPosts"].contains {
                    message.contains("out of range: \($0)")
                }, "\(message)")
        }
    }

    @Test(arguments: [0, -1, .min])
    func aGroupNeedsALoop(count: Int) {
        let error = #expect(throws: SwivelError.self) { _ = try LoopGroup(count: count) }
        #expect(error?.code == .invalidConfiguration)
    }

    /// Extremes that are valid.
    @Test(arguments: [
        Loop.Configuration(name: ""), Loop.Configuration(name: "a name far beyond 15 bytes"),
        Loop.Configuration(name: "\u{1F503}\u{1F503}\u{1F503}\u{1F503}\u{1F503}"),
        Loop.Configuration(name: "nul\0byte"), Loop.Configuration(cpu: 0),
        Loop.Configuration(cpu: 100_000), Loop.Configuration(timerSlack: .zero),
        Loop.Configuration(timerSlack: .seconds(Int64.max)),
        Loop.Configuration(turnBudget: .init(count: 1, time: Duration(attoseconds: 1))),
        Loop.Configuration(turnBudget: .init(count: Int(UInt32.max), time: .seconds(Int64.max))),
        Loop.Configuration(busyPoll: .microseconds(50)),
        Loop.Configuration(busyPoll: .seconds(Int64.max)),
        Loop.Configuration(maxPendingPosts: .max),
    ])
    func extremesWork(configuration: Loop.Configuration) throws {
        let loop = try Loop(configuration)
        let ran = Gate()
        loop.execute(probe.work { ran.open() })
        loop.schedule(after: .microseconds(100), probe.work { ran.open() })
        ran.wait(times: 2)
        loop.shutdown()
    }

    #if os(Linux)
    /// The thread stays on its processor; its own sleeps have the slack asked for.
    @Test func theThreadHasItsProcessorAndSlack() throws {
        let loop = try Loop(
            Loop.Configuration(name: "test.pinned", cpu: 0, timerSlack: .microseconds(1)))
        let path = "/proc/thread-self/status"
        let processors = loop.onThread {
            (try? String(contentsOfFile: path, encoding: .utf8))?
                .split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
                .map(String.init)
        }
        #expect(processors?.hasSuffix("\t0") == true)
        #expect(loop.configuration.cpu == 0 && loop.pinningError == nil)
        #expect(loop.configuration.timerSlack == .microseconds(1))
        loop.shutdown()
    }

    #if os(Linux)
    /// The kernel delays a thread's sleeps by its slack. A loop that was asked for none has the least
    /// that there is.
    @Test(.enabled(if: !swivel_is_portable(), "its threads keep the system's slack"))
    func theKernelKnowsTheSlack() throws {
        let slacks: [(Duration?, String)] = [
            (.milliseconds(3), "3000000"), (.nanoseconds(70), "70"), (.zero, "1"), (nil, "1"),
        ]
        for (slack, expected) in slacks {
            let loop = try Loop(Loop.Configuration(name: "test.slack", timerSlack: slack))
            defer { loop.shutdown() }
            let known = loop.onThread {
                try? String(
                    contentsOfFile: "/proc/\(swivel_process_thread())/timerslack_ns",
                    encoding: .utf8)
            }
            #expect(known?.trimmingCharacters(in: .whitespacesAndNewlines) == expected)
        }
    }
    #endif

    /// A processor that is not there, and one beyond the system's numbers.
    @Test(arguments: [1_023, 100_000]) func aRefusedProcessorIsTold(cpu: Int) throws {
        let loop = try Loop(Loop.Configuration(name: "test.unpinned", cpu: cpu))
        defer { loop.shutdown() }
        #expect(loop.configuration.cpu == nil)
        #expect(loop.pinningError?.message.contains("processor \(cpu)") == true)
        #expect(loop.pinningError?.errno == 22)
        loop.onThread {}
    }
    #endif

    /// A turn ends with its budget of closures or of time.
    @Test(arguments: [
        (Loop.TurnBudget(count: 7, time: .seconds(60)), 7...7),
        (.init(count: 1_000, time: .nanoseconds(1)), 1...50),
        (.init(count: 1_000, time: .seconds(60)), 100...100),
    ])
    func aTurnEndsWithItsBudget(budget: Loop.TurnBudget, ran: ClosedRange<Int>) throws {
        let loop = try Loop.embedded(.init(name: "test.budget", turnBudget: budget))
        onThread { [probe] in for _ in 0..<100 { loop.execute(probe.work()) } }
        loop.runOnce(.noWait)
        #expect(ran.contains(probe.ran), "\(probe.ran)")
        loop.shutdown()
    }

    /// However long it has nothing to do. Without busy-polling the pause is time enough to park.
    @Test func aLoopThatPollsBusilyDoesNotPark() throws {
        let loop = try Loop(.init(name: "test.busy", busyPoll: .seconds(600)))
        loop.onThread {}
        usleep(20_000)
        loop.onThread {}
        #expect(loop.metrics.parks == 0)
        loop.shutdown()
    }

    @Test func theSettingsThatTookEffectCanBeRead() throws {
        let settings = Loop.Configuration(
            name: "test.embedded", cpu: 0, timerSlack: .seconds(1), maxPendingPosts: 8,
            onHighWater: { _ in })
        let loop = try Loop.embedded(settings)
        #expect(loop.configuration.highWaterMark == 6)
        #expect(loop.configuration.cpu == nil && loop.configuration.timerSlack == nil)
        #expect(loop.pinningError?.message.contains("thread of its own") == true)
    }
}
