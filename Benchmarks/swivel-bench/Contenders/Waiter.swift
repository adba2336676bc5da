// SPDX-License-Identifier: Apache-2.0

internal import BenchKit
internal import Dispatch
internal import Foundation
internal import Swivel

/// The threads that wait for something.
enum Waiter: String, CaseIterable, Sendable {
    case main = "main thread"
    case plain = "plain thread"
    case worker = "pool's worker"
    case loop = "another loop"

    /// Runs `measure` with the way to such a thread of Swivel's; `nil` is the main one, which calls.
    func withSwivel(
        _ measure: (Turns?) throws -> BenchKit.Measurement
    ) throws -> BenchKit.Measurement {
        switch self {
        case .main: return try measure(nil)
        case .plain: return try measure(Turns { Thread.detachNewThread($0) })
        case .worker: return try measure(Turns { WorkerPool.background.execute($0) })
        case .loop:
            return try Resident.withLoops(1) { loops in
                let loop = loops[0]
                return try measure(Turns { loop.execute($0) })
            }
        }
    }

    /// The way to the thread that stands in its place with Dispatch.
    var ofDispatch: Turns? {
        switch self {
        case .main: return nil
        case .plain: return Turns { Thread.detachNewThread($0) }
        case .worker: return Turns { DispatchQueue.global().async(execute: $0) }
        case .loop:
            let queue = DispatchQueue(label: "rival.waiter")
            return Turns { queue.async(execute: $0) }
        }
    }
}
