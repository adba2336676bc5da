// SPDX-License-Identifier: Apache-2.0
import SwivelCore
import SwivelTestSupport
import Testing

/// Timers that other threads arm without pause, and their loop too: C5.
@Suite(.offPool) struct ArmRaceTests {
    private let probe = Probe()

    /// A deadline that has come is not put off by threads that arm it again for the same instant.
    @Test(arguments: [1, 2, 4])
    func itFiresWhileThreadsArmItForOneInstant(threads: Int) throws {
        let loop = try threadedLoop()
        for _ in 0..<20 {
            let fired = Counter()
            let timer = LoopTimer(on: loop, probe.work { fired.add() })
            let instant = LoopClock.Instant.now.advanced(by: .milliseconds(1))
            onThreads(threads) { _ in
                #expect(
                    eventually(seconds: 60) {
                        timer.arm(at: instant)
                        return fired.value > 0
                    })
            }
            guard fired.value > 0 else { break }
        }
        loop.shutdown()
    }

    /// The loop arms it as often as you like while an arm of another thread waits, and others do while
    /// the loop is busy.
    @Test(arguments: [true, false])
    func millionsOfArmsAreOne(inside: Bool) async {
        await #expect(processExitsWith: .success) { [inside] in
            try exitTest {
                let loop = try Loop(Loop.Configuration(name: "test.loop"))
                let fired = Gate()
                let timer = LoopTimer(on: loop) { fired.open() }
                let (begun, armed) = (Gate(), Gate())
                loop.execute {
                    begun.open()
                    armed.wait(seconds: 50)
                    for _ in 0..<(inside ? 1 << 21 : 0) { timer.arm(after: .hours(1)) }
                    if inside { timer.arm(after: .microseconds(1)) }
                }
                begun.wait()
                for _ in 0..<(inside ? 1 : 1 << 21) { timer.arm(after: .hours(1)) }
                if !inside { timer.arm(after: .microseconds(1)) }
                armed.open()
                require(fired.isOpened(seconds: 50), "the last arm counts")
                loop.shutdown()
            }
        }
    }
}
