// SPDX-License-Identifier: Apache-2.0
import CSwivel.Internal
import Foundation
import SwivelCore
import SwivelDispatch

#if os(Linux)
/// Opens all descriptors that the process may have but `free`, and returns them.
private func exhaustDescriptors(but free: Int = 0) -> [Int32] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_cur, 256)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while case let copy = dup(0), copy >= 0 { taken.append(copy) }
    taken.suffix(free).forEach { close($0) }
    return taken.dropLast(free)
}

/// A wait of 20 ms.
@MainActor private func sleep() {
    let latch = Latch()
    Loop.shared.schedule(after: .milliseconds(20)) { latch.signal() }
    wait(latch)
}

/// Starts the loop, which takes descriptors of its own.
private func startLoop() {
    let started = Latch()
    Loop.shared.execute { started.signal() }
    while !started.isOpen { usleep(1_000) }
}

@MainActor func firstWait(withDescriptors count: Int) {
    startLoop()
    let taken = exhaustDescriptors(but: count)
    sleep()
    taken.forEach { close($0) }  // A build that measures coverage writes a file at exit.
}

@MainActor func mainLoopWithoutDescriptors() {
    let loop = Loop.main
    loop.execute { loop.stop() }
    _ = exhaustDescriptors()
    loop.run()
}

/// The main queue's are open; the run loop has to do without its own until there are some.
@MainActor func longWaitWithoutDescriptors() {
    startLoop()
    let first = Latch()
    DispatchQueue.main.async { first.signal() }
    wait(first)
    let taken = exhaustDescriptors()
    sleep()
    taken.forEach { close($0) }
    let latch = Latch()
    RunLoop.main.perform { latch.signal() }
    wait(latch)
}

/// The test has the program start on one processor.
@MainActor func oneProcessorDoesNotSpin() {
    var spin = swivel_spin()
    require(swivel__spin_before_sleep(&spin, .max) == 0, "no other thread runs")
}
#endif
