// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwivelCore
import SwivelDispatch

/// A timer on the main run loop, which lives until its last call.
@MainActor private func timer(
    every seconds: Double, repeats: Bool = false, _ body: @escaping @MainActor @Sendable () -> Void
) -> Timer {
    let timer = Timer(timeInterval: seconds, repeats: repeats) { _ in
        MainActor.assumeIsolated { body() }
    }
    RunLoop.main.add(timer, forMode: .default)
    return timer
}

@MainActor func runLoopsTimerEndsAWait() {
    for milliseconds in [0, 1, 5, 50] {
        let latch = Latch()
        _ = timer(every: Double(milliseconds) / 1000) { latch.signal() }
        wait(latch)
    }
}

@MainActor func runLoopsBlockEndsAWait() {
    for _ in 0..<20 {
        let latch = Latch()
        RunLoop.main.perform { latch.signal() }
        wait(latch)
    }
}

/// Nothing wakes the run loop for such a block.
@MainActor func runLoopsBlockFromElsewhereEndsAWait() {
    for milliseconds in [0, 1, 5, 100] {
        let latch = Latch()
        Loop.shared.schedule(after: .milliseconds(milliseconds)) {
            RunLoop.main.perform { latch.signal() }
        }
        // A wait without a deadline is one in steps.
        require(wait(latch, until: .now + .seconds(20)), "the block has not run")
    }
}

/// A function or a constant of CoreFoundation, which Foundation does not export on Linux.
private func ofCoreFoundation<Value>(_ name: String, as: Value.Type) -> Value {
    unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), name), to: Value.self)
}

@MainActor private var sourcesLatch = Latch()

/// A source of another library's, which a thread signals.
@MainActor func runLoopsSourceEndsAWait() {
    typealias Object = OpaquePointer?
    let perform: @convention(c) (UnsafeRawPointer?) -> Void = { _ in
        MainActor.assumeIsolated { sourcesLatch.signal() }
    }
    // A version, information, seven callbacks that are not needed, and the source's function.
    let context = [Int](repeating: 0, count: 9) + [unsafeBitCast(perform, to: Int.self)]
    typealias Create = @convention(c) (Object, Int, UnsafePointer<Int>) -> Object
    let source = ofCoreFoundation("CFRunLoopSourceCreate", as: Create.self)(nil, 0, context)
    let main = ofCoreFoundation("CFRunLoopGetMain", as: (@convention(c) () -> Object).self)()
    typealias Add = @convention(c) (Object, Object, Object) -> Void
    ofCoreFoundation("CFRunLoopAddSource", as: Add.self)(
        main, source,
        ofCoreFoundation("kCFRunLoopDefaultMode", as: UnsafePointer<Object>.self).pointee)
    let calls = [
        ("CFRunLoopSourceSignal", Int(bitPattern: source)),
        ("CFRunLoopWakeUp", Int(bitPattern: main)),
    ]
    for milliseconds in [0, 5, 50] {
        sourcesLatch = Latch()
        Loop.shared.schedule(after: .milliseconds(milliseconds)) {
            typealias Call = @convention(c) (Object) -> Void
            for (name, word) in calls {
                ofCoreFoundation(name, as: Call.self)(OpaquePointer(bitPattern: word))
            }
        }
        require(wait(sourcesLatch, until: .now + .seconds(20)), "the source has not fired")
    }
}

@MainActor func runLoopTicksDuringAWait() {
    let latch = Latch()
    let journal = Journal()
    let ticks = timer(every: 0.02, repeats: true) {
        journal.note("tick")
        if journal.entries.count == 5 { latch.signal() }
    }
    require(wait(latch, until: .now + .seconds(20)), "\(journal.entries.count) ticks of 5")
    let another = Latch()
    Loop.shared.schedule(after: .milliseconds(300)) { another.signal() }
    wait(another)
    require(journal.entries.count >= 6, "no tick in a wait without a deadline")
    ticks.invalidate()
}

/// Blocks, the lane and the main actor's jobs come while the wait sleeps in the run loop.
@MainActor func mainQueueRunsDuringALongWait() {
    let journal = Journal()
    let ticks = timer(every: 0.005, repeats: true) {}
    for milliseconds in [0, 20, 60] {
        let latch = Latch()
        Loop.shared.schedule(after: .milliseconds(milliseconds)) {
            DispatchQueue.main.async { MainActor.assumeIsolated { journal.note("block") } }
            DispatchQueue.main.execute { MainActor.assumeIsolated { journal.note("lane") } }
            Task { @MainActor in
                journal.note("job")
                latch.signal()
            }
        }
        wait(latch)
    }
    require(journal.entries.sorted().count == 9, "\(journal.entries)")
    ticks.invalidate()
}

/// Waits nest in the run loop's callbacks, and end innermost first.
@MainActor func runLoopsCallbackWaits() {
    let journal = Journal()
    let (outer, ended) = (Latch(), Latch())
    _ = timer(every: 0.005) {
        let (timed, performed, notified, queued) = (Latch(), Latch(), Latch(), Latch())
        _ = timer(every: 0.005) { timed.signal() }
        wait(timed)
        RunLoop.main.perform { performed.signal() }
        wait(performed)
        // The wait around this one is over before the inner one is.
        Loop.shared.schedule(after: .milliseconds(20)) { outer.signal() }
        Loop.shared.schedule(after: .milliseconds(40)) { notified.signal() }
        wait(notified)
        DispatchQueue.main.async { queued.signal() }
        wait(queued)
        journal.note("inner")
        ended.signal()
    }
    wait(outer)
    journal.note("outer")
    require(ended.isOpen && journal.entries == ["inner", "outer"], "\(journal.entries)")
}

/// Inside a block of the main queue, on any thread, the run loop's timers and blocks run,
/// and so does the lane.
@MainActor func runLoopInsideABlock() {
    let journal = Journal()
    let body: @MainActor @Sendable () -> Void = {
        let (timed, performed, posted, notified) = (Latch(), Latch(), Latch(), Latch())
        _ = timer(every: 0.02) { timed.signal() }
        wait(timed)
        Loop.shared.schedule(after: .milliseconds(20)) {
            RunLoop.main.perform { performed.signal() }
        }
        wait(performed)
        Loop.shared.schedule(after: .milliseconds(20)) {
            DispatchQueue.main.execute { posted.signal() }
        }
        wait(posted)
        Loop.shared.schedule(after: .milliseconds(20)) { notified.signal() }
        wait(notified)
        journal.note("waited")
    }
    inBlock(body)
    DispatchQueue.main.async { MainActor.assumeIsolated { body() } }
    while journal.entries.count < 2 {
        _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
}

/// A wait leaves nothing of its own in the run loop. In a block that the run loop runs, a nested run
/// ends at once if its mode has nothing.
@MainActor func runLoopIsLeftAsItWas() {
    require(!wait(Latch(), until: .now + .milliseconds(50)), "it never opens")
    let ended = Latch()
    DispatchQueue.main.async {
        require(!wait(Latch(), until: .now + .milliseconds(50)), "it never opens")
        let began = LoopClock.Instant.now
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 60))
        require(LoopClock.Instant.now < began + .seconds(30), "the run loop has a source")
        ended.signal()
    }
    while !ended.isOpen { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}
