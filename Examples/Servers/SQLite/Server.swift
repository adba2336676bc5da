// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Swivel

/// The process that fires the schedules of a file, one job after the other. The loop keeps the
/// time. GRDB's own queue reads and writes the file, so the loop never waits for a disk.
actor Server {
    private let loop: Loop
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.serialExecutor.asUnownedSerialExecutor()
    }

    private let schedules: Schedules
    private let wakes: AsyncStream<Void>
    private let wake: @Sendable () -> Void

    init(of schedules: Schedules, on loop: Loop) {
        self.loop = loop
        self.schedules = schedules
        let (wakes, waker) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakes = wakes
        wake = { waker.yield() }
    }

    /// Fires ticks until the task is cancelled. A job that is under way then is done anew by the
    /// next process.
    func run() async throws {
        wake()
        for await _ in wakes {
            while !Task.isCancelled, let tick = try await schedules.dueTick() {
                guard (try? await loop.clock.sleep(for: tick.work)) != nil else { return }
                try await schedules.fire(tick)
            }
            if let date = try await schedules.nextInstant() {
                // It follows the wall clock, which may be set.
                loop.once("next tick", at: date, wake)
            }
        }
    }
}
