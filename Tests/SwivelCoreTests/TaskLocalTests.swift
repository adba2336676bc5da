// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

private enum Request { @TaskLocal static var name = "none" }

/// Task-local values in closures.
@Suite(.offPool) struct TaskLocalTests {
    private let probe = Probe()

    @Test(arguments: [true, false])
    func closuresSeeTheValuesWhereAskedFor(inherits: Bool) throws {
        let loop = try manualLoop()
        let seen = Shared<[String]>()
        let context: any ExecutionContext = inherits ? loop.inheritingTaskLocals : loop
        let note: @Sendable () -> Void = { seen.append(Request.name) }
        Request.$name.withValue("mine") {
            context.execute(note)
            context.schedule(after: .milliseconds(1), note)
            context.schedule(at: epoch.advanced(by: .milliseconds(2)), note)
            context.schedule(every: .milliseconds(3)) { tick in
                note()
                if tick.index == 2 { tick.cancel() }
            }
        }
        Request.$name.withValue("other") { loop.advance(by: .seconds(1)) }
        #expect(seen.value == Array(repeating: inherits ? "mine" : "other", count: 6))
        let plain = Request.$name.withValue("mine") {
            context.schedule(every: .milliseconds(1), note)
        }
        Request.$name.withValue("mine") {
            _ = context.schedule(everyAfterCompletion: .milliseconds(1)) { tick in
                note()
                tick.cancel()
            }
        }
        loop.advance(by: .milliseconds(1))
        plain.cancel()
        #expect(seen.value.suffix(2) == Array(repeating: inherits ? "mine" : "none", count: 2))
        #expect(Request.name == "none")
    }

    /// B1: such a closure is no job of the loop, and may wait.
    @Test func aClosureWithValuesMayWait() throws {
        let loop = try manualLoop()
        let latch = Latch()
        let seen = Shared<[String]>()
        Request.$name.withValue("mine") {
            loop.inheritingTaskLocals.execute {
                #expect(latch.wait())
                seen.append(Request.name)
            }
        }
        loop.execute(probe.work { latch.signal() })
        loop.runDue()
        #expect(seen.value == ["mine"])
    }
}
