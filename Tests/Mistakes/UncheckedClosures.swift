// SPDX-License-Identifier: Apache-2.0
// Closures with captures that are not `Sendable` are warned of, and no errors, in both language modes.
import Dispatch
import Swivel

private final class Old { var count = 0 }

private func closures(_ old: Old, _ loop: Loop, _ queue: DispatchQueue) throws {
    loop.execute { old.count += 1 }
    queue.execute { old.count += 1 }
    WorkerPool.shared.execute { old.count += 1 }
    queue.execute(label: "old") { old.count += 1 }
    loop.schedule(after: .seconds(1)) { old.count += 1 }
    queue.schedule(after: .seconds(1), leeway: .zero) { old.count += 1 }
    loop.schedule(at: loop.now) { old.count += 1 }
    queue.schedule(every: .seconds(1)) { old.count += 1 }
    loop.schedule(every: .seconds(1)) { tick in old.count += Int(tick.index) }
    queue.schedule(everyAfterCompletion: .seconds(1)) { old.count += 1 }
    loop.once("a", after: .seconds(1)) { old.count += 1 }
    queue.once("a", after: .seconds(1)) { old.count += 1 }
    queue.each([1, 2]) { old.count += $0 }
    queue.submit { old.count }
    queue.submit(after: .seconds(1)) { old.count }
    _ = Coalescer(on: loop, after: .seconds(1)) { old.count += 1 }
    _ = Throttle(on: loop, every: .seconds(1)) { old.count += 1 }
    _ = LoopTimer(on: loop) { old.count += 1 }
    _ = Async { old.count }
    _ = Async { 3 }.map { $0 + old.count }
    Async { 3 }.onSuccess { old.count += $0 }
}
