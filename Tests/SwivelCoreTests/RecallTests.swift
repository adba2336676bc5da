// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Timers that another thread arms and cancels before the loop has heard of them: the thread uses
/// their nodes again. Of a loop in virtual time the test's thread is such a thread.
@Suite(.offPool) struct RecallTests {
    private let probe = Probe()

    /// Against a list: what is armed and not cancelled runs once; a handle is good for one timer.
    @Test func randomArmsAndCancelsDoAsAListSays() throws {
        var random = Seeded()
        for _ in 0..<Machine.scaled(40, by: 4) {
            let loop = try manualLoop()
            let runs = Shared<[Int]>()
            var armed: [(number: Int, handle: TimerHandle)] = []
            var over: [TimerHandle] = []
            for number in 0..<500 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5:
                    let delay = Duration.milliseconds(Int.random(in: 1...20, using: &random))
                    armed.append(
                        (number, loop.schedule(after: delay, probe.work { runs.append(number) })))
                case 5..<8 where !armed.isEmpty:
                    // The latest ones mostly: the loop has not heard of them.
                    let place = max(armed.count - 1 - Int.random(in: 0..<20, using: &random), 0)
                    let handle = armed.remove(at: place).handle
                    #expect(handle.cancel() == .cancelled)
                    over.append(handle)
                case 8:
                    #expect(
                        armed.randomElement(using: &random)?.handle.rearm(after: .seconds(1))
                            ?? true)
                case 9 where Int.random(in: 0..<10, using: &random) == 0:
                    loop.inside { loop.schedule(after: .hours(1), probe.work()).cancel() }
                default:
                    #expect(over.allSatisfy { !$0.isPending && $0.cancel() == .finished })
                }
                #expect(armed.allSatisfy { $0.handle.isPending })
                #expect(loop.metrics.pending == armed.count)
            }
            loop.advance(by: .seconds(2))
            #expect(runs.value.sorted() == armed.map(\.number))
            #expect(loop.metrics.pending == 0 && probe.live == 0)
        }
    }

    /// C2: a node that a thread has used many times unheard is not used for the same numbers again.
    @Test func noHandleIsGoodForTheNextLoop() throws {
        var handles: [TimerHandle] = []
        for _ in 0..<20 {
            let loop = try manualLoop()
            for _ in 0..<100 {
                let handle = loop.schedule(after: .hours(1), probe.work())
                #expect(!handles.contains { $0.isPending })
                handle.cancel()
                handles.append(handle)
            }
            loop.shutdown()
            handles = handles.suffix(400)
        }
        #expect(probe.live == 0)
    }
}
