// SPDX-License-Identifier: Apache-2.0
// In code of a task a trailing closure means the form without `await`, in both language modes.
import Dispatch
import Swivel

private func posts(_ loop: Loop, _ queue: DispatchQueue, _ pool: WorkerPool) async {
    loop.execute { print(1) }
    _ = loop.tryExecute { print(1) }
    loop.execute(label: "work") { print(1) }
    queue.execute { print(1) }
    pool.execute { print(1) }
    loop.submit { 1 }
    loop.schedule(after: .seconds(1)) { print(1) }
    loop.schedule(every: .seconds(1)) { print($0.index) }
    loop.once("a", after: .seconds(1)) { print(1) }
    loop.watch(0) { print($0) }
    loop.signals([.user1]) { print($0) }
    _ = Async { 1 }.map { $0 + 1 }
    Async { 1 }.onSuccess { print($0) }
    let isFull = await loop.execute(waitingIfFull: { print(1) })
    print(isFull)
}
