// SPDX-License-Identifier: Apache-2.0
// Calls of a coalescer against its run, cancels and flushes. After each call a run begins, which sees
// all writes from before the call, unless a cancel has dropped it. Pending work runs once, or is
// dropped, once. The coalescer, its timer and its loop are the production sources.
//
// Module: SwivelCore
// Beside: coalescing.swift closures.swift
// On: stub
// Sources: Sources/SwivelCore/Timers: Coalescer CoalescerCore CoalescerState CheckTimer TimerNode
// Sources: Sources/SwivelCore/Timers: LoopTimer Work CancelResult
// Sources: Sources/SwivelCore/Limits: Throttle
// Sources: Sources/SwivelCore/Errors: Check
// Sources: Sources/SwivelCore/Time: Duration+Nanoseconds
// Sources: Sources/SwivelCore/Concurrency: DropNotice Lock
//
// A run that leaves its series pending:
// Mutant: CoalescerState.swift: s/^        isPending = false$//
// A call that changes nothing, and does not order what its caller has written before:
// Mutant: CoalescerCore.swift: s/^            atomicMemoryFence(ordering: .sequentiallyConsistent)$//
internal import CSwivel
internal import Explorer
@preconcurrency internal import Stub
internal import Synchronization

/// The numbers of an execution.
private enum Number {
    static let runs: Int32 = 0
    static let cancels: Int32 = 1
    static let flushes: Int32 = 2
    /// The earliest instant that a run may have.
    static let notBefore: Int32 = 4
    /// The requests that the last run saw.
    static let seen: Int32 = 5
}

/// The state of an execution.
private final class Requests: Sendable {
    let first = Atomic<Int>(0)
    let second = Atomic<Int>(0)

    /// Thread `number` asks for something.
    func ask(_ number: Int32) {
        if number == 1 {
            first.store(1, ordering: .relaxed)
        } else {
            second.store(1, ordering: .relaxed)
        }
    }
}

// because no thread of a model changes them.
nonisolated(unsafe) private var requests: [Requests] = []
nonisolated(unsafe) private var areTypesMade = false
// because no thread changes these either.
nonisolated(unsafe) private var coalescers: [Coalescer] = []

@main
enum CoalescerModel {
    static func main() {
        _ = Loop.closures
        explore("coalescer: two calls", preemptions: 2, reset: reset, check: checkCalls) {
            call($0)
        }
        explore("coalescer: calls as it is due", preemptions: 2, reset: resetDue, check: checkCalls)
        {
            call($0)
        }
        explore("coalescer: a cancel and a flush", reset: resetDue, check: checkEnded) {
            if $0 == 1 { cancel() } else { flush() }
        }
        explore("coalescer: a cancel and a call", reset: resetDue, check: checkCancel) {
            if $0 == 1 { cancel() } else { call(2) }
        }
        explore("coalescer: a flush and a call", preemptions: 2, reset: resetDue, check: checkFlush)
        {
            if $0 == 1 { flush() } else { call(2) }
        }
        explore("coalescer: a flush and a call at once", reset: resetPending, check: checkFlush) {
            if $0 == 1 { flush() } else { callAtOnce() }
        }
        explore("coalescer: on a context", reset: resetElsewhere, check: checkEnded) {
            if $0 == 1 { cancel() } else { Elsewhere.serve() }
        }
    }

    /// Thread 0 drives the loop.
    static func explore(
        _ name: StaticString, preemptions: Int32 = 3, reset: @escaping () -> Void,
        check: @escaping () -> Void,
        body: @escaping (Int32) -> Void
    ) {
        SwivelCore.explore(
            name, preemptions: preemptions, reset: reset, stuck: stub_stuck, check: check
        ) {
            if $0 == 0 { stub_drive() } else { body($0) }
        }
    }
}

// The work of the threads.
extension CoalescerModel {
    static func call(_ number: Int32) {
        requests[0].ask(number)
        if number == 2 { stub_pass(150) }
        let now = swivel_now_ns()
        expect(coalescers[0].call(), "the loop takes calls")
        // Nothing can be due yet, so that the call is in time to move the run.
        if swivel_now_ns() < 200 {
            runtime_set(Number.notBefore, max(runtime_value(Number.notBefore), Int(now) + 100))
        }
    }

    /// A call at the instant of the call that has made the run pending.
    static func callAtOnce() {
        requests[0].ask(2)
        expect(coalescers[0].call(), "the loop takes calls")
    }

    static func cancel() {
        if coalescers[0].cancel() { runtime_add(Number.cancels, 1) }
    }

    static func flush() {
        if coalescers[0].flush() { runtime_add(Number.flushes, 1) }
    }

    /// The coalescer's work.
    fileprivate static func run(_ requests: Requests) {
        let now = Int(swivel_now_ns())
        expect(now >= runtime_value(Number.notBefore), "no run begins early")
        runtime_add(Number.runs, 1)
        let second = requests.second.load(ordering: .relaxed)
        runtime_set(Number.seen, requests.first.load(ordering: .relaxed) + 2 * second)
    }
}

// Before and after an execution.
extension CoalescerModel {
    static func reset() { open(on: nil) }

    static func open(on context: (any ExecutionContext)?) {
        stub_closures = Loop.closures
        stub_open()
        let made = Requests()
        requests = [made]
        let work: @Sendable () -> Void = { run(made) }
        if let elsewhere = context as? Elsewhere {
            coalescers = [Coalescer(on: elsewhere, after: .nanoseconds(100), work)]
        } else {
            coalescers = [Coalescer(on: Loop.shared, after: .nanoseconds(100), work)]
        }
    }

    /// A run is pending, and its instant has come.
    static func resetDue() {
        open(on: nil)
        makeDue()
        if !areTypesMade {
            // The runtime makes generic types at their first use, which no execution is to see.
            areTypesMade = true
            expect(coalescers[0].flush(), "a run is pending")
            stub_on_loop(nil)
            close()
            resetDue()
        }
    }

    static func resetPending() {
        open(on: nil)
        expect(coalescers[0].call(), "the loop takes calls")
        stub_on_loop(nil)
    }

    static func resetElsewhere() {
        open(on: Elsewhere())
        makeDue()
    }

    static func makeDue() {
        expect(coalescers[0].call(), "the loop takes calls")
        stub_on_loop(nil)
        stub_pass(200)
    }

    static func checkCalls() {
        expect(runtime_value(Number.seen) == 3, "the last run sees both requests")
        close()
    }

    static func checkEnded() {
        let ended = runtime_value(Number.runs) + runtime_value(Number.cancels)
        expect(ended == 1, "what is pending runs or is dropped, once")
        close()
    }

    static func checkCancel() {
        if runtime_value(Number.cancels) == 0 {
            expect(runtime_value(Number.seen) == 2, "a run sees the request")
        }
        close()
    }

    static func checkFlush() {
        expect(runtime_value(Number.seen) == 2, "a run sees the request")
        close()
    }

    static func close() {
        expect(!coalescers[0].isPending, "nothing is pending")
        coalescers = []
        requests = []
        stub_on_loop(nil)
        stub_close()
    }
}
