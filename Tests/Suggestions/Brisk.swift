// SPDX-License-Identifier: Apache-2.0
// Brisk's names. Below each use is what its deprecation says to write.
import BriskCompat
import Foundation
import Swivel

private let id = "save"

private func timers(_ queue: DispatchQueue, _ item: DispatchWorkItem, _ now: NSDate) {
    nonisolated(unsafe) let item = item
    // because Dispatch takes items from any thread.
    let date = now as Date
    queue.async(after: 1.5) {}
    // use: queue.schedule(after: .seconds(1.5)) {}
    queue.async(after: .seconds(1)) {}
    // use: queue.schedule(after: .seconds(1)) {}
    queue.async(after: 2, execute: item)
    // use: queue.schedule(after: .seconds(2)) { item.perform() }
    queue.async(at: now) {}
    // use: queue.schedule(at: date) {}
    queue.async(at: now, execute: item)
    // use: queue.schedule(at: date) { item.perform() }
    queue.async(every: 3) {}
    // use: queue.schedule(every: .seconds(3)) {}
    queue.async(every: 3) { timer in timer.cancel() }
    // use: queue.schedule(every: .seconds(3)) { timer in timer.cancel() }
    queue.async(every: 3, execute: item)
    // use: queue.schedule(every: .seconds(3)) { item.perform() }
    queue.once(operationId: id, after: 1) {}
    // use: queue.once(id, after: .seconds(1)) {}
}

private func functions(_ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void) {
    dispatch_main_async { print(1) }
    // use: DispatchQueue.main.execute { print(1) }
    dispatch_main_async(block)
    // use: DispatchQueue.main.execute(block)
    dispatch_bg_async { print(1) }
    // use: WorkerPool.shared.execute { print(1) }
    dispatch_bg_async(block)
    // use: WorkerPool.shared.execute(block)
    dispatch_async("name") { print(1) }
    // use: DispatchQueue.serial("name").execute { print(1) }
    dispatch_main_sync(block)
    // use: block+>>.sync()
    dispatch_after(1, queue) { print(1) }
    // use: queue.schedule(after: .seconds(1)) { print(1) }
    dispatch_after_exactly(1, queue) { print(1) }
    // use: queue.schedule(after: .seconds(1)) { print(1) }
    dispatch_every(1, queue) { timer in print(timer) }
    // use: queue.schedule(every: .seconds(1)) { timer in print(timer) }
    dispatch_every_exact(1, queue) { timer in print(timer) }
    // use: queue.schedule(every: .seconds(1)) { timer in print(timer) }
    dispatch_main_after(1) { print(1) }
    // use: DispatchQueue.main.schedule(after: .seconds(1)) { print(1) }
    dispatch_main_after_exactly(1) { print(1) }
    // use: DispatchQueue.main.schedule(after: .seconds(1)) { print(1) }
    dispatch_main_every(1) { timer in print(timer) }
    // use: DispatchQueue.main.schedule(every: .seconds(1)) { timer in print(timer) }
    dispatch_main_every_exact(1) { timer in print(timer) }
    // use: DispatchQueue.main.schedule(every: .seconds(1)) { timer in print(timer) }
    let timer = queue.schedule(every: .seconds(1)) { tick in
        dispatch_source_cancel(tick)
        // use: tick.cancel()
    }
    dispatch_source_cancel(timer)
    // use: timer.cancel()
}

private func onces(_ queue: DispatchQueue) {
    dispatch_once_after(1, operationId: id, onQueue: queue) {}
    // use: queue.once(id, after: .seconds(1)) {}
    dispatch_once_after(1, queue, id) {}
    // use: queue.once(id, after: .seconds(1)) {}
    dispatch_main_once_after(1, operationId: id) {}
    // use: DispatchQueue.main.once(id, after: .seconds(1)) {}
    dispatch_main_once_after(1, id) {}
    // use: DispatchQueue.main.once(id, after: .seconds(1)) {}
    dispatch_each([1, 2], queue: queue) { print($0) }
    // use: queue.each([1, 2]) { print($0) }
    dispatch_each([1, 2], queue) { print($0) }
    // use: queue.each([1, 2]) { print($0) }
}

private func locks(_ lock: NSLock) -> Never {
    let name = synchronized(lock) { "a" }
    // use: let name = lock.withLock { "a" }
    synchronized { print(name) }
    // use: lock.withLock { print(name) }
    brisk_raise("no more")
    // use: fatalError("no more")
}

private func functionValues(
    _ f: @escaping (Int) -> Int, _ handler: @escaping (Int) -> Void, _ maybe: ((Int) -> Int)?,
    _ notify: ((Int) -> Void)?, _ g: @escaping @Sendable (Int) -> Int,
    _ handle: @escaping @Sendable (Int) -> Void, _ perhaps: (@Sendable (Int) -> Int)?,
    _ tell: (@Sendable (Int) -> Void)?
) {
    g ~>> (1) ~>> handler
    // use: g ~>> (1) ~>> handle
    g ~>> (1) +>> handler
    // use: g ~>> (1) +>> handle
    g ~>> (1) ~>> .main ~>> handler
    // use: g ~>> (1) ~>> .main ~>> handle
    _ = f->>
    // use: _ = g->>
    _ = f~>>
    // use: _ = g~>>
    _ = f+>>
    // use: _ = g+>>
    f ~>> (1)
    // use: g ~>> (1)
    f +>> (1)
    // use: g +>> (1)
    handler ~>> (1)
    // use: handle ~>> (1)
    handler +>> (1)
    // use: handle +>> (1)
    _ = f ~>> .main
    // use: _ = g ~>> .main
    maybe ?~>> (1)
    // use: perhaps ?~>> (1)
    maybe ?+>> (1)
    // use: perhaps ?+>> (1)
    notify ?~>> (1)
    // use: tell ?~>> (1)
    notify ?+>> (1)
    // use: tell ?+>> (1)
    _ = maybe ?~>> .main
    // use: _ = perhaps ?~>> .main
}
