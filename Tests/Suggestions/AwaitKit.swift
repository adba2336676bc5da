// SPDX-License-Identifier: Apache-2.0
// AwaitKit's names. Below each use is what its deprecation says to write.
import AwaitKitCompat
import Dispatch
import Swivel

private func waits(_ queue: DispatchQueue, _ future: Future<Int, any Error>) throws {
    queue.ak.async { 3 }
    // use: queue.submit { 3 }
    try queue.ak.await { try future.await() }
    // use: try queue.submit { try future.await() }.await()
    try queue.ak.await(future)
    // use: try queue.await(future)
    try `await`(on: queue, future)
    // use: try queue.await(future)
    Queue.async.execute { print(1) }
    // use: WorkerPool.background.execute { print(1) }
    let compatible: any AwaitKitCompatible = queue
    // use: let compatible: any ExecutionContext = queue
    let base = Extension(queue).base
    // use: let base = queue
    _ = (base, compatible)
}
