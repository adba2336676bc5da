// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
@testable import SwivelDispatch
import SwivelTestSupport
import Testing

@Suite(.offPool) struct QueueContextTests {
    private let serial = DispatchQueue(label: "test.serial")
    private let concurrent = DispatchQueue(label: "test.concurrent", attributes: .concurrent)

    @Test func workRunsOnTheQueueInOrderAndIsReleased() {
        let probe = Probe()
        let seen = Shared<[Int]>([])
        for number in 0..<100 {
            serial.execute(
                probe.work {
                    dispatchPrecondition(condition: .onQueue(serial))
                    seen.update { $0.append(number) }
                })
        }
        probe.waitForReleases(100)
        #expect(seen.value == Array(0..<100))
    }

    /// Dispatch may make an object at each use of a name.
    @Test func objectsOfOneQueueAreOneContext() {
        func identity(_ context: some ExecutionContext) -> ContextIdentity {
            ContextIdentity(context)
        }
        let pairs: [(DispatchQueue, DispatchQueue)] = [
            (.main, .main), (.global(), .global()),
            (.global(qos: .utility), .global(qos: .utility)),
        ]
        for (one, other) in pairs {
            #expect(identity(one) == identity(other))
            #expect(identity(AnyContext(one)) == identity(other))
        }
        let queues: [DispatchQueue] = [
            .main, .global(qos: .userInitiated), .global(),
            .global(qos: .utility), .global(qos: .background), serial, concurrent,
            DispatchQueue(label: "test.serial"), DispatchQueue(label: "com.apple.root.default-qos"),
        ]
        for (number, one) in queues.enumerated() {
            for (place, other) in queues.enumerated() {
                #expect((identity(one) == identity(other)) == (number == place))
            }
        }
    }

    /// F4: a run on the main queue, whose limit has come, takes the latest closure.
    @Test func aRunThatIsHeldUpOnTheMainQueueIsJoined() {
        let (runs, id) = (Shared<[Int]>(), "held up on the main queue")
        let (isOnMain, mayGoOn, done) = (Gate(), Gate(), Gate())
        DispatchQueue.main.execute {
            isOnMain.open()
            mayGoOn.wait()
        }
        isOnMain.wait()
        for number in 1...5 {
            DispatchQueue.main.once(id, after: .seconds(3600), maxWait: .milliseconds(1)) {
                runs.append(number)
                done.open()
            }
            if number == 1 { usleep(20_000) }
        }
        mayGoOn.open()
        done.wait()
        DispatchQueue.main.sync {}
        #expect(runs.value == [5])
    }

    @Test func workNeverRunsInsideTheCallThatSubmitsIt() {
        serial.sync {
            let ran = Shared(false)
            serial.execute { ran.value = true }
            #expect(!ran.value)
        }
        serial.sync {}
    }

    @Test func aSerialQueueIsCurrentInItsBlocksAndNowhereElse() {
        let other = DispatchQueue(label: "test.serial")
        #expect(!serial.isCurrent)
        let answers = serial.sync { (serial.isCurrent, other.isCurrent, concurrent.isCurrent) }
        #expect(answers == (true, false, false))
        let gate = Gate()
        serial.async { [serial] in
            if serial.isCurrent && !other.isCurrent { gate.open() }
        }
        gate.wait()
        #expect(!serial.isCurrent)
    }

    @Test func concurrentQueuesAreNeverCurrent() {
        let narrow = DispatchQueue(label: "narrow", attributes: .concurrent, target: serial)
        let inactive = DispatchQueue(label: "g", attributes: [.concurrent, .initiallyInactive])
        inactive.activate()
        for queue in [concurrent, narrow, inactive, .global(), .global(qos: .utility)] {
            #expect(!queue.sync { queue.isCurrent })
            #expect(!queue.sync(flags: .barrier) { queue.isCurrent })
            let gate = Gate()
            queue.async {
                if !queue.isCurrent { gate.open() }
            }
            gate.wait()
        }
    }

    @Test func aSerialQueueIsCurrentOnQueuesThatTargetIt() {
        let lane = DispatchQueue(label: "lane", target: serial)
        let narrow = DispatchQueue(label: "narrow", attributes: .concurrent, target: lane)
        #expect(lane.sync { (lane.isCurrent, serial.isCurrent) } == (true, true))
        #expect(
            narrow.sync { (narrow.isCurrent, lane.isCurrent, serial.isCurrent) }
                == (false, true, true))
        #expect(serial.sync { (serial.isCurrent, lane.isCurrent) } == (true, false))
    }

    @Test func aQueueTakesItsMarkWithIt() {
        final class Weak: Sendable {
            nonisolated(unsafe) weak var identity: QueueIdentity?
            // because a weak reference is read and cleared atomically, and set before it is shared.
        }
        let marks = (0..<10).map { number in
            let mark = Weak()
            let kind: DispatchQueue.Attributes = number.isMultiple(of: 2) ? [] : .concurrent
            mark.identity = QueueIdentity.of(DispatchQueue(label: "short", attributes: kind))
            return mark
        }
        // Dispatch lets queues go on another thread.
        let limit = ContinuousClock.now + .seconds(30)
        while marks.contains(where: { $0.identity != nil }) && ContinuousClock.now < limit {
            DispatchQueue.global().sync(flags: .barrier) {}
        }
        #expect(!marks.contains { $0.identity != nil })
    }

    @Test func eachRunsInlineOnTheCurrentQueueAndInParallelElsewhere() {
        let seen = Shared<[Int]>([])
        serial.sync {
            serial.each(0..<5) { number in seen.update { $0.append(number) } }
        }
        #expect(seen.value == Array(0..<5))
        let meeting = Gate()
        concurrent.each(0..<2) { _ in
            meeting.open()
            meeting.wait(times: 2)
        }
    }
}

@Suite(.offPool) struct ReadyContextTests {
    private func label(_ context: some ExecutionContext) -> String {
        (context as? DispatchQueue)?.label ?? ""
    }

    @Test func oneNameIsOneSerialQueue() {
        let queues = Shared<[DispatchQueue]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let queue: DispatchQueue = .serial("the one")
            queues.update { $0.append(queue) }
        }
        #expect(Set(queues.value.map(ObjectIdentifier.init)).count == 1)
        #expect(DispatchQueue.serial("the one") !== DispatchQueue.serial("another"))
        let queue: DispatchQueue = .serial("the one")
        #expect(queue.sync { queue.isCurrent })
    }

    @Test func globalQueuesRunWorkAndTimers() {
        let gate = Gate()
        for context in [.utility, .userInitiated, .userInteractive] as [any ExecutionContext] {
            context.execute { gate.open() }
            context.schedule(after: .milliseconds(1)) { gate.open() }
        }
        gate.wait(times: 6)
    }
}
