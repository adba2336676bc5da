// SPDX-License-Identifier: Apache-2.0
// Swift-Async's names. Below each use is what its deprecation says to write.
import Dispatch
import SwiftAsyncCompat
import Swivel

private final class Record: Sendable {
    func number() -> Int { 3 }
}

private func asyncs(
    _ queue: DispatchQueue, _ record: Record, _ work: @escaping @Sendable () -> Int,
    _ input: Async<Int>, _ priority: DispatchQoS.QoSClass
) {
    _ = Async<Int>(record.number())
    // use: _ = Async<Int> { record.number() }
    _ = Async<Int>(queue, record.number())
    // use: _ = Async<Int>(queue) { record.number() }
    _ = Async<Int>(queue: queue, closure: work)
    // use: _ = Async<Int>(queue, work)
    _ = Async<Int>(queue: queue) { 3 }
    // use: _ = Async<Int>(queue) { 3 }
    _ = Async<Int>(queue: queue, record.number())
    // use: _ = Async<Int>(queue) { record.number() }
    _ = Async<Int>(queue: queue, dependsOn: input) { $0 + 1 }
    // use: _ = input.map(on: queue) { $0 + 1 }
    _ = Async<Int>(priority: .utility) { 3 }
    // use: _ = Async<Int>(DispatchQueue.global(qos: .utility)) { 3 }
    _ = Async<Int>(priority: priority) { 3 }
    // use: _ = Async<Int>(DispatchQueue.global(qos: priority)) { 3 }
    _ = Async<Int>(priority: .utility, record.number())
    // use: _ = Async<Int>(DispatchQueue.global(qos: .utility)) { record.number() }
    _ = Async<Int>(priority: 2) { 3 }
    // use: _ = Async<Int>(DispatchQueue.global(qos: .userInitiated)) { 3 }
    _ = Async<Int>(priority: 2, record.number())
    // use: _ = Async<Int>(DispatchQueue.global(qos: .userInitiated)) { record.number() }
}
