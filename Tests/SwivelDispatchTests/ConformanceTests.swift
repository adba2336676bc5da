// SPDX-License-Identifier: Apache-2.0
import CSwivelTestSupport
import Foundation
import SwivelCore
import SwivelDispatch
import SwivelTestSupport
import Testing

/// The promises of a loop, for every way to drive one.
@Suite(.offPool) struct ConformanceTests {
    private let probe = Probe()

    @Test(arguments: LoopForm.here) func postsOfAThreadRunInOrder(form: LoopForm) throws {
        try form.with { loop in
            let (seen, gate) = (Shared<[Int]>(), Gate())
            for number in 0..<1000 { loop.execute { seen.append(number) } }
            loop.execute { gate.open() }
            gate.wait()
            #expect(seen.value == Array(0..<1000))
        }
    }

    @Test(arguments: LoopForm.here) func timersAreNotEarlyAndInOrder(form: LoopForm) throws {
        try form.with { loop in
            let (seen, gate, armed) = (Shared<[Int]>(), Gate(), Gate())
            // A thread that is delayed here would arm the first one when others have fired.
            loop.execute { armed.wait() }
            let start = LoopClock.Instant.now
            for number in (1...20).reversed() {
                let deadline = start.advanced(by: .microseconds(700 * number))
                loop.schedule(at: deadline) {
                    #expect(LoopClock.Instant.now >= deadline)
                    seen.append(number)
                    gate.open()
                }
            }
            armed.open()
            gate.wait(times: 20)
            #expect(seen.value == Array(1...20))
        }
    }

    /// One after the other: each is armed while the loop sleeps for a later one.
    @Test(arguments: LoopForm.here) func anEarlierTimerEndsTheSleep(form: LoopForm) throws {
        try form.with { loop in
            let far = loop.schedule(after: .seconds(3600), probe.work())
            let gate = Gate()
            for round in 1...30 {
                loop.schedule(after: .microseconds(300)) { gate.open() }
                gate.wait(times: round)
            }
            #expect(far.cancel() == .cancelled)
        }
        #expect(probe.ran == 0 && probe.live == 0)
    }

    @Test(arguments: LoopForm.here) func aDescriptorIsHeard(form: LoopForm) throws {
        try form.with { loop in
            let (pipe, gate) = (try TestPipe(), Gate())
            let watch = loop.watch(pipe.read) { _ in
                pipe.take()
                gate.open()
            }
            for round in 1...50 {
                pipe.put("a")
                gate.wait(times: round)
            }
            #expect(watch.cancel() != .finished)
            loop.onThread {}
        }
    }

    @Test(arguments: LoopForm.here.filter(\.pumps))
    func aWaitInAClosurePumps(form: LoopForm) throws {
        try form.with { loop in
            let inner = loop.onThread {
                let latch = Latch()
                loop.schedule(after: .microseconds(200)) { latch.signal() }
                return latch.wait()
            }
            #expect(inner)
        }
    }

    /// From its own closure: it closes when that has returned, and accounts for all.
    @Test(arguments: LoopForm.here) func aClosureShutsItDown(form: LoopForm) throws {
        try form.with { loop in
            let gate = Gate()
            loop.schedule(after: .seconds(3600), probe.work())
            loop.execute {
                #expect(!loop.shutdown().isComplete)
                gate.open()
            }
            gate.wait()
            probe.waitForReleases()
            #expect(eventually { loop.shutdown().isComplete })
            #expect(loop.shutdown().cancelledTimers == 1)
            #expect(!loop.tryExecute(probe.work()))
        }
    }

    /// It would hold up the host's own callbacks.
    @Test func aWaitInAnAdoptedLoopTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: standardError) {
            try exitTest {
                try LoopForm.adopted.with { loop in
                    loop.onThread { _ = Latch().wait() }
                }
            }
        }
        #expect(printed("lives in a host's libuv loop", result))
    }

    /// The host's loop ends when the last reference to the loop is gone.
    @Test func aReleasedLoopLeavesItsHosts() throws {
        for form in LoopForm.here {
            weak var released: Loop?
            try form.with { loop in
                released = loop
                loop.schedule(after: .seconds(3600), probe.work())
            }
            #expect(eventually { released == nil }, "\(form)")
        }
        #expect(probe.live == 0)
    }

    /// Another thread ends the wait in the drain's closure, once it sleeps.
    @Test(arguments: LoopForm.here.filter { $0.pumps && !$0.sleepsOnDescriptor })
    func aDrainEndsTheWaitsInIt(form: LoopForm) throws {
        try form.with { loop in
            let (latch, waits, ended) = (Latch(), Gate(), Gate())
            let parks = Shared(0)
            // Later than the call: most often it is the drain that runs it.
            loop.schedule(after: .milliseconds(300)) {
                parks.value = loop.metrics.parks
                waits.open()
                _ = latch.wait(until: .now.advanced(by: .seconds(60)))
                ended.open()
            }
            let signaller = TestThread {
                waits.wait()
                _ = eventually { loop.metrics.parks > parks.value }
                latch.signal()
                ended.wait(seconds: 30)  // Before the wait's own deadline.
            }
            loop.shutdown(.drain(within: .seconds(120)))
            signaller.join()
        }
    }

    @Test func aLoopThatIsOverIsAttachedInVain() throws {
        let loop = try Loop.embedded()
        loop.shutdown()
        loop.attach(to: DispatchQueue(label: "vain")).detach()
    }

    /// It has lost its turns, and the memory of its handles; not its closures. In a process of its
    /// own, because a leak checker reports that memory.
    @Test(.enabled(if: !Machine.isAddressSanitized))
    func aHostThatClosesAllHandlesLeavesTheLoop() async {
        await #expect(processExitsWith: .success) {
            exitTest {
                let loops = Shared<[Loop]>()
                let host = swivel_host_uv_start(
                    { argument, host in
                        guard let argument, let host else { return }
                        let loops = Unmanaged<Shared<[Loop]>>.fromOpaque(argument)
                        if let loop = try? Loop(adopting: host) {
                            loops.takeUnretainedValue().append(loop)
                        }
                        swivel_host_uv_sweep(host)
                    }, Unmanaged.passUnretained(loops).toOpaque())
                require(swivel_host_uv_join(host) == 0, "its loop is closed")
                let loop = loops.value[0]
                loop.execute {}
                loop.schedule(after: .seconds(1)) {}
                let report = loop.shutdown()
                require(report.cancelledPosts == 1 && report.cancelledTimers == 1, "\(report)")
            }
        }
    }
}
